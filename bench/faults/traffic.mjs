import { setTimeout as pause } from 'node:timers/promises';
import { formulaOf } from '../hostile/formula-of.mjs';

/** Requests of each kind, a second. */
const RATE = 1;
/** No divisor of the number of kinds, so that each user asks for all. */
const USERS = 8;
/** A service is well again when for so long all was answered, in this time each. */
const WELL_FOR_MS = 3000;
const WELL_MS = 2000;
/** Nobody waits longer for it to recover. */
const OBSERVED_MS = 60_000;

const count = (values) => {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** What several users do in a day: the kinds of their requests, by whether they need the formulas' table. */
async function kindsOf(service, users) {
  const [{ token }] = users;
  const made = async (path, body) => (await service.ask('POST', path, { token, body })).body.data;
  const ingredient = await made('/ingredients', {
    inciName: 'Aqua',
    chineseName: '水',
    functionCategory: 'other',
  });
  const project = await made('/projects', { name: 'project' });
  const formula = await made('/formulas', formulaOf(4, [ingredient.id]));
  const get = (path) => ({ method: 'GET', path });
  const post = (path, body) => ({ method: 'POST', path, body });
  return {
    others: [
      get('/health'),
      get('/auth/me'),
      get('/ingredients?search=aq'),
      get(`/projects/${project.id}`),
      post('/projects', { name: 'another' }),
      get('/color/library?search=red'),
    ],
    formulas: [
      get('/formulas'),
      get(`/formulas/${formula.id}`),
      get('/formulas?search=form'),
      // It counts each project's formulas.
      get('/projects'),
      get(`/ai/search?q=${encodeURIComponent('water')}`),
      post('/formulas', formulaOf(4, [ingredient.id])),
      // Its reference to a formula takes a lock of their table, even where there is none.
      post('/color/formulas', { name: 'shade', targetLab: { L: 50, a: 1, b: 1 } }),
    ],
  };
}

/** Users who go on asking, whatever comes, at the times when they want to. */
export class Traffic {
  answers = [];
  /** Requests without an answer, and when they were due. */
  pending = new Map();

  static async start(service) {
    const traffic = new Traffic();
    traffic.service = service;
    traffic.users = await service.register(USERS);
    const { others, formulas } = await kindsOf(service, traffic.users);
    const kinds = [
      ...others.map((kind) => ({ ...kind, table: 'others' })),
      ...formulas.map((kind) => ({ ...kind, table: 'formulas' })),
    ];
    let number = 0;
    traffic.timer = setInterval(
      () => traffic.send(kinds[number % kinds.length], number++),
      1000 / (RATE * kinds.length),
    );
    await pause(2000);
    traffic.answers = [];
    return traffic;
  }

  send({ method, path, body, table }, number) {
    const { token, address } = this.users[number % USERS];
    const due = performance.now();
    const asked = this.service.ask(method, path, { token, body, address }).then(({ status, ms }) => {
      this.pending.delete(asked);
      const isGood = status === 200 || status === 201;
      this.answers.push({
        table,
        what: `${method} ${path.replace(/[?].*|[0-9a-f-]{36}/, '…')}`,
        due,
        ms,
        status,
        isGood,
      });
    });
    this.pending.set(asked, due);
  }

  /** Goes on until all has been well for a while, at most a minute. @returns how long that took, in ms */
  async recovery() {
    const since = performance.now();
    for (;;) {
      const now = performance.now();
      const after = this.answers.filter(({ due }) => due >= since);
      const ill = after.filter(({ isGood, ms }) => !isGood || ms > WELL_MS).map(({ due, ms }) => due + ms);
      const waitsTooLong = [...this.pending.values()].some((due) => now - due > WELL_MS);
      const last = waitsTooLong ? now : Math.max(since, ...ill);
      if (now - last >= WELL_FOR_MS && after.length > 0) return last - since;
      if (now - since > OBSERVED_MS) return Infinity;
      await pause(100);
    }
  }

  async stop() {
    clearInterval(this.timer);
    await Promise.all(this.pending.keys());
  }

  /** How those were answered that asked for one table, or for any. */
  of(table) {
    const chosen = this.answers.filter((answer) => !table || answer.table === table);
    const bad = chosen.filter(({ isGood }) => !isGood);
    const statuses = Object.entries(count(bad.map(({ status }) => status)))
      .map(([status, times]) => `${times} × ${status === '0' ? 'no answer' : status}`)
      .join(', ');
    const slowest = Math.max(0, ...chosen.map(({ ms }) => ms));
    const kinds = [...new Set(bad.map(({ what }) => what))];
    // Where all kinds are bad, there is nothing to tell.
    const which = kinds.length < 4 ? ` (${kinds.join(', ')})` : '';
    const bads = bad.length === 0 ? 'none bad' : `bad ${statuses}${which}`;
    return {
      bad: bad.length,
      slowest,
      text: `${chosen.length} asked, ${bads}, slowest ${seconds(slowest)}`,
      unanswered: bad.filter(({ status }) => status === 0).length,
    };
  }
}
