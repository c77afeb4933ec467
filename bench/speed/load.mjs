/*
 * The load generator, in a process of its own: a closed loop over keep-alive connections, on bare sockets so
 * that its own share of the machine stays small, with latencies in microseconds.
 */
import { connect } from 'node:net';
import { scenarios } from './scenarios.mjs';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One connection: sends the next request as soon as an answer is complete. Where the server says that it
 * closes it, as nginx does after a thousand requests, another takes its place.
 */
function drive({ port, next, until, record }) {
  return new Promise((resolve, reject) => {
    const open = () => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let started = 0n;
      let pending = Buffer.alloc(0);
      const send = () => {
        if (process.hrtime.bigint() >= until) {
          socket.destroy();
          resolve();
          return;
        }
        started = process.hrtime.bigint();
        socket.write(next());
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', resolve);
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const end = pending.indexOf(HEAD_END);
        if (end < 0) return;
        const head = pending.toString('latin1', 0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (pending.length < end + 4 + length) return;
        record(Number(process.hrtime.bigint() - started) / 1000, Number(head.slice(9, 12)));
        pending = Buffer.alloc(0);
        if (/^connection: close/im.test(head)) {
          socket.off('close', resolve).destroy();
          open();
        } else send();
      });
    };
    open();
  });
}

async function run({ port, scenario, token, connections, seconds, from }) {
  const build = scenarios[scenario].request;
  let number = from;
  const latencies = [];
  const statuses = {};
  const started = process.hrtime.bigint();
  const until = started + BigInt(Math.round(seconds * 1e9));
  const record = (micros, status) => {
    latencies.push(micros);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const next = () => build(number++, token);
  await Promise.all(Array.from({ length: connections }, () => drive({ port, next, until, record })));
  const elapsed = Number(process.hrtime.bigint() - started) / 1e9;
  latencies.sort((x, y) => x - y);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requests: latencies.length,
    perSecond: latencies.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    statuses,
  };
}

process.on('message', (job) => {
  run(job).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  );
});
