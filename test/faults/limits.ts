import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster';
import { answers, FakeProvider } from '../support/fake-providers';
import { PREDICTION } from '../support/fake-providers/sample-answers';
import { Client } from './client';

const LIMIT = 100;
const ASKED = 300;
/** AI calls at once; the last of them is asked for some seconds later. */
const AI_CALLS = 40;
const AI_RATE = 10;
/** How long a revoked key may be used, in milliseconds. */
const REVOKED_MS = 1000;
const CALL_EVERY_MS = 150;
/** How long calls go on before the change, behind those of the AI rate at first, and after it, in ms. */
const CALLS_BEFORE_MS = 1500;
const CALLS_AFTER_MS = 2 * REVOKED_MS;
/** Wrong passwords of an account from one address that are looked at, and how many are sent at once. */
const FAILED_LOGINS = 10;
const GUESSES = 20;
/** Until no request to a provider counts any more, in milliseconds. */
const AI_WINDOW_MS = 1100;

export interface Limit {
  readonly what: string;
  readonly measured: string;
  readonly holds: boolean;
}

let number = 0;
/** An AI call that nobody has asked for before. */
const predict = (client: Client) =>
  client.ask('POST', '/ai/predict-formula', {
    ingredients: [{ name: `原料${++number}`, percentage: 5, category: 'other' }],
  });

/** The most requests in any window of a second. */
function mostInASecond(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(0, ...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 1000).length));
}

async function requestLimit(client: Client): Promise<Limit> {
  const asked = await Promise.all(Array.from({ length: ASKED }, () => client.ask('GET', '/auth/me')));
  const admitted = asked.filter(({ status }) => status === 200).length;
  const refused = asked.filter(({ status }) => status === 429).length;
  return {
    what: `requests of one user admitted, of ${ASKED} at once (THROTTLE_LIMIT=${LIMIT})`,
    measured: `${admitted}, ${refused} answered 429`,
    holds: admitted === LIMIT && admitted + refused === ASKED,
  };
}

async function failedLogins(everybody: Client): Promise<Limit> {
  const username = `guessed-${Date.now()}`;
  await everybody.register(username);
  const guesses = Array.from({ length: GUESSES }, (_, at) => ({ username, password: `guess-${at}` }));
  const asked = await Promise.all(guesses.map((guess) => everybody.ask('POST', '/auth/login', guess)));
  const tried = asked.filter(({ status }) => status === 401).length;
  const refused = asked.filter(({ status }) => status === 429).length;
  return {
    what: `wrong passwords of one account that are tried, of ${GUESSES} at once from one address`,
    measured: `${tried}, ${refused} answered 429`,
    holds: tried === FAILED_LOGINS && tried + refused === GUESSES,
  };
}

async function aiRate(client: Client, fake: FakeProvider): Promise<Limit> {
  const asked = await Promise.all(Array.from({ length: AI_CALLS }, () => predict(client)));
  const most = mostInASecond(fake.received.map(({ at }) => at));
  const failed = asked.filter(({ status }) => status !== 200).length;
  return {
    what: `requests at a provider in any sliding second, of ${AI_CALLS} AI calls at once`,
    measured: `${most} at most, ${fake.received.length} in all`,
    holds: most <= AI_RATE && failed === 0 && fake.received.length === AI_CALLS,
  };
}

/** Calls go on by all instances while the key is replaced. */
async function revokedKey(client: Client, fake: FakeProvider): Promise<Limit> {
  const calls: Promise<unknown>[] = [];
  const timer = setInterval(() => calls.push(predict(client)), CALL_EVERY_MS);
  await pause(CALLS_BEFORE_MS);
  const { status } = await client.ask('PUT', '/config', { alphaKey: 'sk-second' });
  const revokedAt = performance.now();
  await pause(CALLS_AFTER_MS);
  clearInterval(timer);
  await Promise.all(calls);
  const uses = (key: string) =>
    fake.received.filter(({ headers }) => headers.authorization === `Bearer ${key}`).map(({ at }) => at);
  const [first, second] = [uses('sk-first'), uses('sk-second')];
  const last = Math.max(...first) - revokedAt;
  return {
    what: 'last use of a replaced provider key, after the answer to the change',
    measured: `${last > 0 ? `${(last / 1000).toFixed(2)} s` : 'none after it'}; used ${first.length} times, the new one ${second.length}`,
    holds: status === 200 && last <= REVOKED_MS && second.length > 0 && first.length > 0,
  };
}

/** Measured from outside, by nginx, over all instances of a cluster, which are started anew for it. */
export async function measureLimits(cluster: Cluster, directory: string): Promise<Limit[]> {
  const fake = await FakeProvider.start('alpha');
  const restart = async (settings: Record<string, string>) => {
    const { instances, redis } = cluster;
    await Promise.all(instances.map((instance) => instance.stop()));
    // What the run has counted would be held against everybody here, readiness too, until its window ends.
    await redis.stop();
    await redis.start();
    const build = cluster.instanceBuild(directory, settings);
    await Promise.all(instances.map((instance) => instance.start(build)));
  };
  const everybody = new Client(cluster.url);
  try {
    const ai = {
      AI_MOCK: 'false',
      AI_DEFAULT_MODEL: 'gpt-4o',
      CONFIG_WRITE_ROLE: 'engineer',
    };
    await restart({ ...ai, THROTTLE_LIMIT: String(LIMIT) });
    const configurer = await everybody.register(`configurer-${Date.now()}`);
    await configurer.ask('PUT', '/config', {
      aiMock: 'false',
      alphaKey: 'sk-first',
      alphaBaseUrl: fake.baseUrl,
    });
    const limited = await everybody.register(`limited-${Date.now()}`);
    const first = await requestLimit(limited);
    fake.reset(answers(PREDICTION));
    // What is made once, connections among it, takes longer than a trip.
    for (const _ of cluster.instances) await predict(configurer);
    const [second] = await Promise.all([failedLogins(everybody), pause(AI_WINDOW_MS)]);
    fake.reset(answers(PREDICTION));
    const caller = await everybody.register(`caller-${Date.now()}`);
    const third = await aiRate(caller, fake);
    fake.reset(answers(PREDICTION));
    return [first, second, third, await revokedKey(configurer, fake)];
  } finally {
    everybody.close();
    await fake.stop();
  }
}

/** In Markdown. */
export const limitTable = (limits: readonly Limit[]): string =>
  [
    '| over all instances, from outside | measured | holds |',
    '| --- | --- | --- |',
    ...limits.map(({ what, measured, holds }) => `| ${what} | ${measured} | ${holds ? 'yes' : '**no**'} |`),
  ].join('\n');
