import { type NestInterceptor } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { z } from 'zod';
import { AiCall, AiCallContext, type AiEvent, type CallPolicy } from '../../src/ai/pipeline/ai-call';
import { type Capability } from '../../src/ai/pipeline/capability';
import { type AiProvider } from '../../src/ai/providers/ai-provider';
import type { CurrentUser } from '../../src/platform/common/current-user';
import { type ProviderAccess } from '../../src/platform/runtime-config/runtime-configuration';

/** A capability whose answer is a list of named parts. */
export const LIST: Capability<unknown, { list: { name: string }[] }, { name: string }> = {
  name: 'list',
  schema: z.object({ list: z.array(z.object({ name: z.string() })) }),
  listKey: 'list',
  parts: {
    schema: z.object({ name: z.string() }),
    accepts: ({ name }) => name !== 'unwanted',
    list: (answer) => answer.list,
    assemble: (list) => ({ list }),
  },
  whenFailed: 'preset',
  maxTokens: 10,
  prompt: (input) => ({ system: 'List.', user: String(input) }),
  preset: () => ({ list: [{ name: 'preset' }] }),
};

/** A capability whose answer is one text. */
export const WORD: Capability<unknown, { word: string }> = {
  name: 'word',
  schema: z.object({ word: z.string() }),
  whenFailed: 'preset',
  maxTokens: 10,
  prompt: (input) => ({ system: 'Say.', user: String(input) }),
  preset: () => ({ word: 'preset' }),
};

interface CallDetails {
  capability?: Capability<any, any, any>;
  input?: unknown;
  model?: string;
  provider?: Partial<AiProvider>;
  access?: ProviderAccess;
  policy?: Partial<CallPolicy>;
  user?: CurrentUser;
}

/** A call of `WORD` to a remote provider, with what a test says otherwise. */
export function aiCall({
  capability = WORD,
  input = 'x',
  model = 'model',
  provider,
  access = {},
  policy,
  user,
}: CallDetails = {}): AiCall {
  return new AiCall(
    capability as Capability<unknown, unknown>,
    input,
    { name: 'remote', capabilities: { remote: true, streaming: true }, ...provider } as AiProvider,
    model,
    access,
    {
      deadlineMs: 60_000,
      attemptMs: 30_000,
      retries: 3,
      cache: true,
      whenFailed: capability.whenFailed,
      ...policy,
    },
    user,
  );
}

/** What comes out of an observable, as it comes. */
export interface Seen {
  readonly events: AiEvent[];
  error: unknown;
  completed: boolean;
  leave(): void;
}

export function watch(events: Observable<AiEvent>): Seen {
  const seen: Seen = { events: [], error: undefined, completed: false, leave: () => undefined };
  const subscription = events.subscribe({
    next: (event) => seen.events.push(event),
    error: (error: unknown) => (seen.error = error),
    complete: () => (seen.completed = true),
  });
  seen.leave = () => subscription.unsubscribe();
  return seen;
}

/** Runs one interceptor around what `handle` gives. */
export async function around(
  interceptor: NestInterceptor,
  call: AiCall,
  handle: () => Observable<AiEvent>,
): Promise<Observable<AiEvent>> {
  return (await interceptor.intercept(new AiCallContext(call), { handle })) as Observable<AiEvent>;
}

export const answer = (value: unknown, cacheable = true): AiEvent => ({
  kind: 'answer',
  answer: value,
  source: 'remote',
  cacheable,
});

export const part = (value: unknown): AiEvent => ({ kind: 'part', part: value, source: 'remote' });

/** A few turns of the event loop: what waits for a promise has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}
