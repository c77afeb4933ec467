import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const TICKS_PER_SECOND = 100;

/** Processor time of a process so far, in milliseconds (Linux). */
export function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
  } catch {
    return 0;
  }
}

/** Resident memory of a process, in MB (Linux). */
export function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return 0;
  }
}

/** Starts a server and waits until its health answers. `diagnose` asks what diagnostics.mjs knows. */
export async function startServer(name, file, variables, port) {
  const started = performance.now();
  const child = fork(here(file), [], {
    env: { ...process.env, ...variables, PORT: String(port) },
    execArgv: ['--import', new URL('diagnostics.mjs', import.meta.url).href],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}`);
    const healthy = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const startMs = performance.now() - started;
  const diagnose = async (question = 'report') => {
    const answer = new Promise((resolve) => {
      const take = (message) => {
        if (!('longestBlockMs' in message)) return;
        child.off('message', take);
        resolve(message);
      };
      child.on('message', take);
    });
    child.send(question);
    return answer;
  };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { name, pid: child.pid, port, startMs, diagnose, stop };
}

/** A load generator that can be given jobs one after another. */
export function startLoad() {
  const child = fork(here('load.mjs'), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const run = (job) =>
    new Promise((resolve, reject) => {
      child.once('message', ({ result, error }) => (error ? reject(new Error(error)) : resolve(result)));
      child.send(job);
    });
  return { run, stop: () => child.kill() };
}
