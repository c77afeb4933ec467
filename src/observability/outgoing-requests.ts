import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Somebody follows one request that `fetch` sends. */
export interface FollowedRequest {
  /** Called at most once; must not throw. */
  answered(status: number): void;
  /** Called at most once, with the end of the answer or what ended the request before; must not throw. */
  ended(error?: unknown): void;
}

interface Message {
  readonly request: { readonly method: string; readonly origin?: string | URL };
  readonly response?: { readonly statusCode: number };
  readonly error?: unknown;
}

type Handler = (message: unknown) => void;

/**
 * Requests that this process sends by `fetch`, as undici tells of them, which is Node's own and the package.
 * @param follow called in the context of whoever sends it; must not throw
 * @returns what ends it
 */
export function followOutgoingRequests(
  follow: (method: string, origin: string) => FollowedRequest | undefined,
): () => void {
  const followed = new WeakMap<object, FollowedRequest>();
  const end = ({ request, error }: Message) => {
    followed.get(request)?.ended(error);
    followed.delete(request);
  };
  const handlers: Record<string, (message: Message) => void> = {
    'undici:request:create': ({ request }) => {
      const one = follow(request.method, String(request.origin));
      if (one) followed.set(request, one);
    },
    'undici:request:headers': ({ request, response }) =>
      followed.get(request)?.answered(response?.statusCode ?? 0),
    'undici:request:trailers': end,
    'undici:request:error': end,
  };
  const channels = Object.entries(handlers) as [string, Handler][];
  for (const [name, handler] of channels) subscribe(name, handler);
  return () => {
    for (const [name, handler] of channels) unsubscribe(name, handler);
  };
}
