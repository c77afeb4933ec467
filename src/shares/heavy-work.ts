import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Environment } from '../environment/environment';
import type { Caller } from './caller';
import { FairTurns } from './fair-turns';
import { type HeavyKind, HeavyTurn } from './heavy-turn';
import { Pace } from './pace';

/** AI calls in progress at once; each waits for a provider most of the time. */
const AI_CALLS = 128;

/** AI calls of one client. */
const CLIENT_AI_CALLS = 32;

/** The smallest pool that has connections for every kind of its own, and some to spare. */
const SMALL_POOL = 4;
/** The smallest pool that has connections for the catalogue's searches and for large reads apart. */
const LARGE_POOL = 10;

/** Turns that searches have in addition while they are quick, with 20 connections or more. */
const MORE_WHILE_QUICK = { search: 2, catalogue: 5 };

/**
 * On the embedded database a turn as long as this is followed by a pause. A short request asks for its user
 * and then for what it wants: without the pause the next long statement would stand before the second one.
 */
const LONG_TURN_MS = 50;
const PAUSE_MS = 10;

/** Bounds each kind of heavy work over all clients, with fair turns between them. */
@Injectable()
export class HeavyWork {
  private readonly turns: Readonly<Record<HeavyKind, FairTurns>>;
  private readonly paces = { search: new Pace(), catalogue: new Pace() };
  private readonly hasOneSession: boolean;

  constructor(
    environment: Pick<Environment, 'database' | 'databasePoolSize'>,
    private readonly clock: Clock,
  ) {
    this.hasOneSession = environment.database.kind !== 'server';
    this.turns = {
      ...databaseTurns(environment, this.paces),
      ai: new FairTurns({ limit: () => AI_CALLS, perClient: () => CLIENT_AI_CALLS }),
    };
  }

  turnsOf(kind: HeavyKind): FairTurns {
    return this.turns[kind];
  }

  /**
   * Does work of this kind when the caller's turn comes. Inside a turn no other is waited for, but inside one
   * of `ai` one of the database's kinds.
   * @throws UnavailableError when the turn does not come in time, or the caller has gone; Error when it
   * asks inside another turn
   */
  async run<T>(kind: HeavyKind, caller: Caller, work: () => Promise<T>): Promise<T> {
    const turn = await this.turn(kind, caller);
    try {
      return await turn.run(work);
    } finally {
      turn.end();
    }
  }

  /** As `run` where the work is of a heavy kind; else at once. */
  runWhere<T>(kind: HeavyKind | undefined, caller: Caller, work: () => Promise<T>): Promise<T> {
    return kind ? this.run(kind, caller, work) : work();
  }

  /** Resolves when the caller's turn has come; else as `run`. */
  async turn(kind: HeavyKind, caller: Caller): Promise<HeavyTurn> {
    HeavyTurn.refuseInside(kind);
    const turns = this.turnsOf(kind);
    const wait = turns.turn(caller);
    if (wait) await wait;
    const begunAt = this.clock.elapsed();
    return new HeavyTurn(kind, () => {
      const end = () => turns.end(caller.client);
      const took = this.clock.elapsed() - begunAt;
      if (kind === 'search' || kind === 'catalogue') this.paces[kind].took(took);
      if (this.hasOneSession && kind !== 'ai' && took >= LONG_TURN_MS) setTimeout(end, PAUSE_MS);
      else end();
    });
  }
}

/**
 * Together less than the pool's connections, so that short requests always find one. The embedded database
 * has one session, whose statements wait for each other: there a client has one heavy statement before it.
 */
function databaseTurns(
  { database, databasePoolSize }: Pick<Environment, 'database' | 'databasePoolSize'>,
  paces: Readonly<Record<keyof typeof MORE_WHILE_QUICK, Pace>>,
): Record<Exclude<HeavyKind, 'ai'>, FairTurns> {
  if (database.kind !== 'server') return shared(2);
  if (databasePoolSize < SMALL_POOL) return shared(1);
  const more = (kind: keyof typeof MORE_WHILE_QUICK) => {
    const most = MORE_WHILE_QUICK[kind];
    const turns = Math.max(0, Math.min(most, Math.floor(((databasePoolSize - LARGE_POOL) * most) / 10)));
    return () => (paces[kind].isQuick ? turns : 0);
  };
  const search = turnsOfHalves(connectionsOf(databasePoolSize, 3), more('search'));
  const composition = turnsOfHalves(connectionsOf(databasePoolSize, 2));
  if (databasePoolSize < LARGE_POOL) return { search, catalogue: search, reading: search, composition };
  const limit = Math.floor((3 * databasePoolSize) / 20);
  return {
    search,
    catalogue: turnsOfHalves(limit, more('catalogue')),
    reading: turnsOfOne(limit),
    composition,
  };
}

/** So many of a pool of 10 to 20; of smaller and of larger ones the same share. */
const connectionsOf = (poolSize: number, many: number): number =>
  Math.max(1, Math.min(many, Math.floor((many * poolSize) / 10)), Math.floor((many * poolSize) / 20));

function shared(limit: number) {
  const turns = turnsOfOne(limit);
  return { search: turns, catalogue: turns, reading: turns, composition: turns };
}

const turnsOfOne = (limit: number) => new FairTurns({ limit: () => limit, perClient: () => 1 });

/**
 * One client never has all of them: the next one's turn does not wait for its longest statement.
 * @param more turns that there are now
 */
const turnsOfHalves = (limit: number, more = () => 0) =>
  new FairTurns({
    limit: () => limit + more(),
    perClient: () => Math.ceil(limit / 2) + Math.ceil(more() / 2),
  });
