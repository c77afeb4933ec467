/*
 * Loaded into the measured process with --import, beside the product and without a word in it: answers
 * questions of the bench over the process's IPC channel. In worker threads it only tells which thread they
 * are.
 */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 5;
const TICK_MS = 10;

// A synchronous read happens on the calling thread (Linux).
const threadId = () => Number(readFileSync('/proc/thread-self/stat', 'utf8').split(' ')[0]);
const channel = new BroadcastChannel('bench-threads');

/** Processor time of one thread of this process, in milliseconds. */
function cpuOfThread(id) {
  try {
    const fields = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}

if (isMainThread) {
  const workers = new Set();
  channel.onmessage = ({ data }) => workers.add(data);
  channel.unref();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('message', (question) => {
    if (question === 'reset') delay.reset();
    process.send?.({
      // The histogram counts from one of its own timers to the next.
      longestBlockMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
      p99BlockMs: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS),
      workersMs: [...workers].reduce((sum, id) => sum + cpuOfThread(id), 0),
    });
  });
  process.channel?.unref();
} else {
  channel.postMessage(threadId());
  channel.close();
}
