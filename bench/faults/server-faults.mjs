/*
 * What can happen to a service on a PostgreSQL server. Each fault is given a fresh, empty database and says
 * what it has seen, how long it took until all was well again, and whether that is as it should be.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPgBouncer, startTcpProxy } from './programs.mjs';
import { seconds, Traffic } from './traffic.mjs';

const FAULT_MS = 20_000;
/** Of the settings, and the two seconds that a stop may take longer. */
const STOP_LIMIT_SECONDS = 25 + 2;
const UNLIMITED = { DATABASE_STATEMENT_TIMEOUT: '600', DATABASE_LOCK_TIMEOUT: '600' };

const recovered = (ms) => Number.isFinite(ms);

/** Users go on while something happens to the database, and until all is well again. */
async function underTraffic(bench, settings, happen) {
  const service = await bench.start(settings);
  const traffic = await Traffic.start(service);
  await happen(service);
  const recoveryMs = await traffic.recovery();
  await traffic.stop();
  const all = traffic.of();
  return { all, others: traffic.of('others'), formulas: traffic.of('formulas'), recoveryMs };
}

/** Every request has its end, and the service comes back by itself. */
const wholeOutage = ({ all, recoveryMs }) => ({
  text: all.text,
  recoveryMs,
  holds: all.unanswered === 0 && recovered(recoveryMs),
});

/** How health answers, once a second has passed over the last. */
async function health(service) {
  await pause(1100);
  const { status, ms } = await service.ask('GET', '/health');
  return `${status} after ${seconds(ms)}`;
}

/** No database for a while: health says so in the middle of it. */
async function untilHealed(bench, settings, hurt, heal) {
  let told;
  const outage = await underTraffic(bench, settings, async (service) => {
    hurt();
    await pause(FAULT_MS / 2);
    told = await health(service);
    await pause(FAULT_MS / 2);
    await heal();
  });
  const { text, recoveryMs, holds } = wholeOutage(outage);
  return { text: `${text}; health ${told}`, recoveryMs, holds: holds && told.startsWith('503') };
}

async function untilHealthIs(service, wanted, limitMs = 15_000) {
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    if ((await service.ask('GET', '/health')).status === wanted) return performance.now() - began;
    await pause(100);
  }
  return Infinity;
}

const stopped = ({ seconds: taken, isAlive, code }) =>
  isAlive ? 'alive after 60 s' : `exit ${code} after ${taken.toFixed(1)} s`;
const stopsInTime = (stop) => ({
  text: stopped(stop),
  holds: !stop.isAlive && stop.seconds <= STOP_LIMIT_SECONDS + 1,
});

/** A start that should not succeed, with the line that says why. */
async function refusedStart(bench, settings, pattern) {
  const service = await bench.start(settings);
  if (service.isRunning) return { text: 'starts', holds: false, service };
  const lines = service.output.trim().split('\n');
  const line = lines.find((text) => pattern.test(text));
  return { text: line ? `refused: ${line}` : `ends: ${lines.at(-1)}`, holds: line !== undefined };
}

/** Sockets that a process has open (Linux). */
function socketsOf(pid) {
  const leads = (descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    } catch {
      return '';
    }
  };
  return readdirSync(`/proc/${pid}/fd`).filter((name) => leads(name).startsWith('socket:')).length;
}

const MALFORMED = [
  'NONSENSE\r\n\r\n',
  'GET /x HTTP/1.1\r\nBad Header\r\n\r\n',
  'GET 甘 HTTP/1.1\r\n\r\n',
  'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n',
];

export const serverFaults = {
  'ACCESS EXCLUSIVE lock on formulas for 20 s, mixed traffic': async (bench) => {
    const { others, formulas, all, recoveryMs } = await underTraffic(bench, {}, () =>
      bench.query(`BEGIN; LOCK TABLE formulas; SELECT pg_sleep(${FAULT_MS / 1000}); ROLLBACK`),
    );
    return {
      text: `other tables: ${others.text}; formulas: ${formulas.text}`,
      recoveryMs,
      holds: others.bad === 0 && all.unanswered === 0 && recovered(recoveryMs),
    };
  },

  'the connections of the pool half open, new ones work': async (bench) => {
    const proxy = await bench.keep(startTcpProxy(bench.url));
    let open;
    const outage = await underTraffic(bench, { DATABASE_URL: proxy.url }, async (service) => {
      const [user] = await service.register(1);
      const paths = ['/formulas', '/ingredients', '/projects', '/auth/me', '/color/library?search=red'];
      await Promise.all(
        Array.from({ length: 100 }, (_, n) => service.ask('GET', paths[n % paths.length], user)),
      );
      open = (await bench.sessions()).length;
      proxy.silence();
    });
    const result = wholeOutage(outage);
    return { ...result, text: `${open} open; ${result.text}` };
  },

  'every connection silent for 20 s, new ones too, then healed': async (bench) => {
    const proxy = await bench.keep(startTcpProxy(bench.url));
    return untilHealed(
      bench,
      { DATABASE_URL: proxy.url },
      () => proxy.cut(),
      () => proxy.heal(),
    );
  },

  'PostgreSQL stopped (SIGSTOP) for 20 s': (bench) =>
    untilHealed(
      bench,
      {},
      () => bench.cluster.signal('SIGSTOP'),
      () => bench.cluster.signal('SIGCONT'),
    ),

  'PostgreSQL killed, started again after 20 s': (bench) =>
    untilHealed(
      bench,
      {},
      () => bench.cluster.signal('SIGKILL'),
      () => bench.cluster.start(),
    ),

  'SIGTERM, an endless statement under way': async (bench) => {
    const service = await bench.start({});
    service.child.send('hang');
    await pause(1000);
    return stopsInTime(await service.stop());
  },

  'SIGTERM, a statement waiting for a lock without limits': async (bench) => {
    const service = await bench.start(UNLIMITED);
    const [user] = await service.register(1);
    const locking = bench.query('BEGIN; LOCK TABLE formulas; SELECT pg_sleep(70)').catch(() => undefined);
    await pause(500);
    const asked = service.ask('GET', '/formulas', user);
    await pause(500);
    const stop = await service.stop();
    await asked;
    await bench.endSessions();
    await locking;
    return stopsInTime(stop);
  },

  'SIGTERM, eight streams open whose provider is silent': async (bench) => {
    const provider = spawn(process.execPath, [
      fileURLToPath(new URL('../ai/fake-alpha.mjs', import.meta.url)),
    ]);
    const [address] = await once(provider.stdout, 'data');
    try {
      const settings = { AI_MOCK: 'false', ALPHA_API_KEY: 'key', AI_DEFAULT_MODEL: 'gpt-4o' };
      const service = await bench.start({ ...settings, ALPHA_BASE_URL: String(address).trim() });
      const [{ token }] = await service.register(1);
      const body = { baseIngredients: [{ name: 'HANG', percentage: 100 }], costLimit: 10 };
      const streams = Array.from({ length: 8 }, () =>
        service.ask('POST', '/ai/explore-formula', { token, body }),
      );
      await pause(1500);
      const stop = await service.stop();
      await Promise.all(streams);
      return stopsInTime(stop);
    } finally {
      provider.kill();
    }
  },

  'SIGTERM, PostgreSQL stopped (SIGSTOP)': async (bench) => {
    const service = await bench.start({});
    const [user] = await service.register(1);
    bench.cluster.signal('SIGSTOP');
    const asked = Array.from({ length: 8 }, () => service.ask('GET', '/formulas', user));
    await pause(500);
    try {
      const stop = await service.stop();
      await Promise.all(asked);
      return stopsInTime(stop);
    } finally {
      bench.cluster.signal('SIGCONT');
    }
  },

  'client gone while its reading statement runs': async (bench) => {
    const service = await bench.start(UNLIMITED);
    const [user] = await service.register(1);
    const locking = bench.query('BEGIN; LOCK TABLE formulas; SELECT pg_sleep(30)').catch(() => undefined);
    await pause(500);
    const leaving = new AbortController();
    const asked = service.ask('GET', '/formulas?search=cream', { ...user, signal: leaving.signal });
    const waiting = async () =>
      (
        await bench.query(
          // The embedding of names waits for the lock, too, and belongs to nobody who could go away.
          `SELECT FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND query LIKE '%formulas%' AND query NOT LIKE '%embedding%'`,
        )
      ).length;
    while ((await waiting()) === 0) await pause(50);
    leaving.abort();
    const began = performance.now();
    while ((await waiting()) > 0 && performance.now() - began < 10_000) await pause(50);
    const taken = performance.now() - began;
    const isCancelled = (await waiting()) === 0;
    await bench.endSessions();
    await Promise.all([locking, asked]);
    return {
      text: isCancelled ? `cancelled after ${seconds(taken)}` : 'not cancelled in 10 s',
      holds: isCancelled,
    };
  },

  'server turned read-only, then back': async (bench) => {
    const service = await bench.start({});
    await bench.alterSystem('SET default_transaction_read_only = on');
    const told = await untilHealthIs(service, 503);
    await bench.alterSystem('RESET default_transaction_read_only');
    const recoveryMs = await untilHealthIs(service, 200);
    return {
      text: recovered(told) ? `health 503 after ${seconds(told)}` : 'health stays 200',
      recoveryMs,
      holds: recovered(told) && recovered(recoveryMs),
    };
  },

  'clock set back by a day, then PostgreSQL killed': async (bench) => {
    const service = await bench.start({});
    await service.ask('GET', '/health');
    service.child.kill('SIGUSR2');
    await pause(200);
    bench.cluster.signal('SIGKILL');
    const told = await untilHealthIs(service, 503);
    // It starts when what was killed is gone.
    await pause(2000);
    await bench.cluster.start();
    const recoveryMs = await untilHealthIs(service, 200);
    return {
      text: recovered(told) ? `health 503 after ${seconds(told)}` : 'health stays 200',
      recoveryMs,
      holds: recovered(told) && recovered(recoveryMs),
    };
  },

  'behind PgBouncer, pool_mode = session': async (bench) => {
    const bouncer = await bench.keep(startPgBouncer(bench.url, 'session'));
    const { all } = await underTraffic(bench, { DATABASE_URL: bouncer.url }, () => pause(5000));
    return { text: all.text, holds: all.bad === 0 };
  },

  'behind PgBouncer, pool_mode = transaction': async (bench) => {
    const bouncer = await bench.keep(startPgBouncer(bench.url, 'transaction'));
    const settings = { DATABASE_URL: bouncer.url };
    const start = await refusedStart(bench, settings, /pool_mode = session/);
    if (!start.service) return start;
    const traffic = await Traffic.start(start.service);
    await pause(5000);
    await traffic.stop();
    return { text: `starts; ${traffic.of().text}`, holds: false };
  },

  'start on a newer schema': async (bench) => {
    await (await bench.start({})).stop();
    await bench.query(
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Suppliers9999999999999')`,
    );
    return refusedStart(bench, {}, /newer version.*Suppliers9999999999999/);
  },

  'start as a role without CREATE': async (bench) => {
    await bench.query('DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; CREATE EXTENSION pg_trgm');
    const settings = { DATABASE_URL: bench.cluster.url(bench.database, 'reader') };
    return refusedStart(bench, settings, /\bCREATE\b/);
  },

  '1 000 malformed requests whose clients keep their side open': async (bench) => {
    const service = await bench.start({});
    await pause(500);
    const before = socketsOf(service.child.pid);
    const sockets = Array.from({ length: 1000 }, (_, n) => {
      const socket = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined).resume();
      socket.write(MALFORMED[n % MALFORMED.length]);
      return socket;
    });
    const left = [];
    for (const wait of [2000, 8000, 20_000]) {
      await pause(wait);
      left.push(Math.max(0, socketsOf(service.child.pid) - before));
    }
    for (const socket of sockets) socket.destroy();
    return { text: `sockets left after 2, 10, 30 s: ${left.join(', ')}`, holds: left[1] === 0 };
  },
};
