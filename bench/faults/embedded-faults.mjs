/* What can happen to a service on the embedded database. Each fault is given a directory of its own. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seconds } from './traffic.mjs';

const WRITERS = 4;
/** Behind the directory's files, for PostgreSQL to fill. */
const DISK_MB = 200;
const ACCOUNT = { username: 'ada', password: 'secret' };

/** Somebody who writes without a pause, and remembers what was acknowledged. */
class Writer {
  acknowledged = [];
  refused = [];
  isOver = false;

  static async start(service) {
    const writer = new Writer();
    const { body } = await service.ask('POST', '/auth/register', { body: ACCOUNT });
    writer.service = service;
    writer.token =
      body?.data?.token ?? (await service.ask('POST', '/auth/login', { body: ACCOUNT })).body.data.token;
    writer.loops = Array.from({ length: WRITERS }, () => writer.write());
    return writer;
  }

  async write() {
    const text = 'x'.repeat(1500);
    while (!this.isOver) {
      const body = { name: `write ${this.acknowledged.length}`, description: text };
      const answer = await this.service.ask('POST', '/projects', { token: this.token, body });
      if (answer.status === 201) this.acknowledged.push(answer.body.data.id);
      else this.refused.push(answer.status);
      if (answer.status !== 201) await pause(200);
    }
  }

  async until(number) {
    while (this.acknowledged.length < number) await pause(20);
  }

  async stop() {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  /** How many of the acknowledged writes a service does not know; all when the account itself is gone. */
  async lostOn(service) {
    const login = await service.ask('POST', '/auth/login', { body: ACCOUNT });
    const token = login.body?.data?.token;
    if (!token) return { lost: this.acknowledged.length, hasAccount: false };
    let lost = 0;
    for (const id of this.acknowledged) {
      const { status } = await service.ask('GET', `/projects/${id}`, { token });
      if (status !== 200) lost += 1;
    }
    return { lost, hasAccount: true };
  }
}

const shown = (writer, lost) => `${writer.acknowledged.length} writes acknowledged, ${lost} lost`;

/** The last line of the output that has this in it, without time and level. */
const said = (service, pattern) =>
  service
    .lines(pattern)
    .at(-1)
    ?.replace(/^.*?(?=The embedded|the last end)/, '');

/** The segment of the log that was written to last, and where its content ends. */
function newestSegment(dataDir) {
  const directory = join(dataDir, 'pgdata', 'pg_wal');
  const files = readdirSync(directory)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => join(directory, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const content = readFileSync(files[0]);
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end -= 1;
  return { file: files[0], end };
}

function overwrite(file, from, bytes) {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, from);
  closeSync(descriptor);
}

/** Writes, a kill, damage to the log, and a start. */
async function afterDamage(bench, damage) {
  const first = await bench.start({});
  const writer = await Writer.start(first);
  await writer.until(80);
  await first.kill();
  await writer.stop();
  damage(newestSegment(bench.directory));
  const second = await bench.start({});
  const told = said(second, /recovered from|did not start|nothing to recover/);
  if (!second.isRunning) {
    return { text: `refused: ${told ?? second.output.trim().split('\n').at(-1)}`, holds: told !== undefined };
  }
  const { lost, hasAccount } = await writer.lostOn(second);
  const text = `starts, ${told ? `says “${told}”` : 'says nothing'}; ${shown(writer, lost)}${hasAccount ? '' : ', the account too'}`;
  return { text, recoveryMs: second.startMs, holds: told !== undefined && hasAccount };
}

export const embeddedFaults = {
  'a statement that does not end': async (bench) => {
    const service = await bench.start({});
    const writer = await Writer.start(service);
    await writer.until(50);
    service.child.send('hang');
    await pause(1000);
    const before = writer.acknowledged.length;
    const began = performance.now();
    while (writer.acknowledged.length === before && performance.now() - began < 60_000) await pause(100);
    const taken = performance.now() - began + 1000;
    const isBack = writer.acknowledged.length > before;
    if (isBack) await pause(1000);
    else await service.kill();
    await writer.stop();
    const { lost } = isBack ? await writer.lostOn(service) : { lost: 'unknown' };
    return {
      text: isBack
        ? `nobody is served for ${seconds(taken)}; ${shown(writer, lost)}`
        : 'nobody is served for 60 s',
      recoveryMs: isBack ? taken : Infinity,
      holds: lost === 0,
    };
  },

  'SIGTERM, an endless statement under way': async (bench) => {
    const service = await bench.start({});
    service.child.send('hang');
    await pause(1000);
    const stop = await service.stop();
    return {
      text: stop.isAlive ? 'alive after 60 s' : `exit ${stop.code} after ${stop.seconds.toFixed(1)} s`,
      holds: !stop.isAlive && stop.seconds < 30,
    };
  },

  'lock file deleted, a second process started': async (bench) => {
    const first = await bench.start({});
    const writer = await Writer.start(first);
    await writer.until(50);
    rmSync(join(bench.directory, 'lock'));
    const second = await bench.start({});
    const isRefused = !second.isRunning;
    const other = isRefused ? undefined : await Writer.start(second);
    await writer.until(150);
    await writer.stop();
    await other?.stop();
    for (const service of [first, second]) if (service.isRunning) await service.kill();
    const third = await bench.start({});
    const writers = [writer, ...(other ? [other] : [])];
    if (!third.isRunning) {
      const reason = third.output.trim().split('\n').at(-1);
      return {
        text: `the second ${isRefused ? 'is refused' : 'starts'}; no start any more: ${reason}`,
        holds: false,
      };
    }
    let lost = 0;
    for (const each of writers) lost += (await each.lostOn(third)).lost;
    const all = writers.flatMap(({ acknowledged }) => acknowledged).length;
    return {
      text: `the second ${isRefused ? 'is refused' : 'starts'}; ${all} writes acknowledged, ${lost} lost`,
      holds: isRefused && lost === 0,
    };
  },

  'kill -9 under load': async (bench) => {
    const first = await bench.start({});
    const writer = await Writer.start(first);
    await writer.until(300);
    await first.kill();
    await writer.stop();
    const second = await bench.start({});
    const { lost } = await writer.lostOn(second);
    return {
      text: `${shown(writer, lost)}; says ${said(second, /recovered from/) ? 'how it recovered' : 'nothing'}`,
      recoveryMs: second.startMs,
      holds: lost === 0,
    };
  },

  'kill -9, then the last 64 KB of the write-ahead log garbled': (bench) =>
    afterDamage(bench, ({ file, end }) =>
      overwrite(file, Math.max(0, end - 65_536), Buffer.alloc(65_536, 0xa5)),
    ),

  'kill -9, then the newest segment of the log emptied': (bench) =>
    afterDamage(bench, ({ file }) => overwrite(file, 0, Buffer.alloc(statSync(file).size))),

  'kill -9, then the newest segment cut in half': (bench) =>
    afterDamage(bench, ({ file }) => {
      const content = readFileSync(file);
      writeFileSync(file, content.subarray(0, content.length / 2));
    }),

  'the record of migrations lost': async (bench) => {
    const first = await bench.start({});
    await (await Writer.start(first)).stop();
    await first.stop();
    await bench.embedded('DROP TABLE migrations');
    const second = await bench.start({});
    const line = second.output.trim().split('\n').at(-1);
    return {
      text: second.isRunning ? 'starts' : `refused: ${line}`,
      holds: !second.isRunning && /has the tables/.test(line),
    };
  },

  'disk full while it writes, then room made': async (bench) => {
    if (process.getuid() !== 0) return { text: 'takes a mount of its own: not tried, not root', holds: true };
    mkdirSync(bench.directory);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', bench.directory]);
    await bench.keep({ close: () => execFileSync('umount', [bench.directory]) });
    const service = await bench.start({});
    const writer = await Writer.start(service);
    await writer.until(50);
    const filler = join(bench.directory, 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(DISK_MB * 2 ** 20));
    } catch {
      // It is as full as it gets.
    }
    const began = performance.now();
    const known = new Set(writer.refused);
    while (writer.refused.length < 20 && performance.now() - began < 60_000) await pause(100);
    await pause(1500);
    const health = (await service.ask('GET', '/health')).status;
    const answers = [...new Set(writer.refused)].filter((status) => !known.has(status));
    const isNamed = service.lines(/disk is full|No space left/).length > 0;
    rmSync(filler);
    const roomAt = performance.now();
    const before = writer.acknowledged.length;
    while (writer.acknowledged.length === before && performance.now() - roomAt < 120_000) await pause(100);
    const recoveryMs = writer.acknowledged.length > before ? performance.now() - roomAt : Infinity;
    if (!Number.isFinite(recoveryMs)) await service.kill();
    await writer.stop();
    const after = service.isRunning ? service : await bench.start({});
    const { lost } = await writer.lostOn(after);
    return {
      text:
        `writes ${answers.join(', ') || 'go on'}, health ${health}, the log ${isNamed ? 'names the disk' : 'does not name it'}; ` +
        shown(writer, lost),
      recoveryMs,
      holds:
        lost === 0 && isNamed && answers.every((status) => status === 503) && Number.isFinite(recoveryMs),
    };
  },
};
