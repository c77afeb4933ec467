/*
 * A well-behaved user in a process of their own: asks who they are and for one formula ten times a second
 * each, in an open loop, over connections that are kept and five times a second over a new one. Every two seconds it
 * also tries an import. An answer that is late counts from when its request was due.
 */
import http from 'node:http';

const INTERVAL_MS = 100;
/** A request that has no answer by then counts as none. */
const GIVEN_UP_MS = 10_000;

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const FILE = 'INCI,chineseName,functionCategory,unit\nAqua,水,other,g\n';
const PATHS = {
  me: () => '/api/auth/me',
  formula: (id) => `/api/formulas/${id}`,
  file: () => '/api/ext/import/ingredients?dryRun=true',
};

/**
 * One request by one of the users, each with an address of their own.
 * @returns its status, or why there is none
 */
function ask({ port, users, formulaId }, number, path, isNew) {
  const { token, address } = users[number % users.length];
  return new Promise((resolve) => {
    const request = http.request(
      {
        method: path === 'file' ? 'POST' : 'GET',
        host: '127.0.0.1',
        port,
        path: PATHS[path](formulaId),
        localAddress: address,
        headers: { Authorization: `Bearer ${token}`, ...(path === 'file' && { 'Content-Type': 'text/csv' }) },
        agent: !isNew && (agents.get(address) ?? newAgent(address)),
        timeout: GIVEN_UP_MS,
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
        response.on('error', ({ code }) => resolve(code));
      },
    );
    request.on('timeout', () => request.destroy(Object.assign(new Error(), { code: 'too late' })));
    request.on('error', ({ code }) => resolve(code));
    request.end(path === 'file' ? FILE : undefined);
  });
}

const agents = new Map();
function newAgent(address) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  agents.set(address, agent);
  return agent;
}

async function run({ seconds, ...target }) {
  const times = [];
  const timesOfNew = [];
  const statuses = {};
  const pending = [];
  const began = performance.now();
  for (let number = 0; number < (seconds * 1000) / INTERVAL_MS; number += 1) {
    const due = began + number * INTERVAL_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const paths = number % 20 === 0 ? ['me', 'formula', 'file'] : ['me', 'formula'];
    for (const [index, path] of paths.entries()) {
      const isNew = number % 4 === index * 2;
      pending.push(
        ask(target, number, path, isNew).then((status) => {
          (isNew ? timesOfNew : times).push(performance.now() - due);
          statuses[status] = (statuses[status] ?? 0) + 1;
        }),
      );
    }
  }
  await Promise.all(pending);
  times.sort((a, b) => a - b);
  timesOfNew.sort((a, b) => a - b);
  const asked = times.length + timesOfNew.length;
  const bad = asked - (statuses[200] ?? 0);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    newP99: percentile(timesOfNew, 0.99),
    asked,
    bad,
    statuses,
  };
}

process.on('message', (job) => {
  run(job).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  );
});
