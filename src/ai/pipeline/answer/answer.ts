import type { AiCall, AiEvent, AiSource } from '../ai-call';
import { AiFailure, InvalidAnswer } from '../../../platform/common/errors/ai-failure';
import { contentFault } from '../../../platform/http/request-content';
import { render } from '../../../platform/texts/text';
import { jsonValues, parseJson } from './json';

/**
 * Returns the events of an answer that arrived in one piece: its valid parts, then the answer that consists of them.
 */
export function answerEvents(call: AiCall, answer: unknown, source: AiSource, cacheable = false): AiEvent[] {
  const { parts } = call.capability;
  if (!parts) return [{ kind: 'answer', answer, source, cacheable }];
  const kept = parts.list(answer).filter((part) => parts.accepts(part, call.input));
  return [
    ...kept.map((part): AiEvent => ({ kind: 'part', part, source })),
    { kind: 'answer', answer: parts.assemble(kept), source, cacheable },
  ];
}

/** Maximum length of an answer. Usable answers are much shorter. Limits the memory for a provider that never stops. */
export const MAX_ANSWER_CHARACTERS = 1_000_000;

/** @throws AiFailure `refused` if the answer exceeds the maximum length */
export function checkLength(text: string, provider: string): void {
  if (text.length > MAX_ANSWER_CHARACTERS) throw new AiFailure('refused', provider, { retryable: false });
}

/** Result of the search in a text: an answer, an unusable one, an incomplete one, or none. */
export type AnswerSearch =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'invalid' | 'cut' | 'none'; readonly problem: string };

const NO_JSON = 'The answer is not JSON.';
/**
 * Returns the last value in a model's text that matches the schema. It ignores text that the model or a
 * gateway adds: reasoning, drafts, remarks, code fences, an envelope, JSON encoded as text. If a later value
 * has the answer's keys but is not usable, there is no answer, because the values before it are drafts.
 */
export function findAnswer(call: AiCall, text: string): AnswerSearch {
  const { values, isCut } = jsonValues(text);
  if (isCut) return { kind: 'cut', problem: NO_JSON };
  let found: AnswerSearch = { kind: 'none', problem: NO_JSON };
  // If there are no JSON values, the entire text may be a number or a word.
  const parsed = (values.length > 0 ? values : [text]).flatMap((value) => parse(call, value));
  let tried = 0;
  // A value has three wrappers around it at most.
  for (const value of unwrapped(call, parsed, 3)) {
    const isMeant = value === undefined || isAnswerLike(call, value);
    // Empty lists and lists of plain values occur in any prose.
    if (Array.isArray(value) && !isMeant && parsed.length > 1) continue;
    const checked = check(call, value);
    if (checked.kind === 'answer' || isMeant) return checked;
    if (++tried === 1) found = { ...checked, kind: 'none' };
    // At most 20 values of a text are checked against the schema.
    if (tried === 20) break;
  }
  return found;
}

/** @throws InvalidAnswer if no value in the text matches the schema */
export function readAnswer(call: AiCall, text: string): unknown {
  return answerOf(call, text, findAnswer(call, text));
}

/** @throws InvalidAnswer if the value does not match the schema */
export function checkedAnswer(call: AiCall, value: unknown): unknown {
  return answerOf(call, '', check(call, value));
}

function answerOf({ provider }: AiCall, text: string, found: AnswerSearch): unknown {
  if (found.kind === 'answer') return found.answer;
  throw new InvalidAnswer(provider.name, text, found.problem);
}

/** Yields the last value first, and the values wrapped in a value before that value. */
function* unwrapped(call: AiCall, values: unknown[], depth: number): Generator {
  for (const value of values.toReversed()) {
    if (depth > 0) yield* unwrapped(call, wrappedIn(call, value), depth - 1);
    yield value;
  }
}

function wrappedIn(call: AiCall, value: unknown): unknown[] {
  if (typeof value === 'string') return jsonValues(value).values.flatMap((inner) => parse(call, inner));
  if (!isObject(value) || (!Array.isArray(value) && isAnswerLike(call, value))) return [];
  return Object.values(value).filter((inner) =>
    typeof inner === 'string' ? /[[{]/.test(inner) : !Array.isArray(inner) && isAnswerLike(call, inner),
  );
}

/** Returns the JSON value, or `[undefined]` if the text was meant as the answer but is not JSON. */
function parse(call: AiCall, text: string): unknown[] {
  const value = parseJson(text);
  if (value !== undefined) return [value];
  const firstKey = /^\{\s*"([^"]*)"/.exec(text)?.[1];
  return firstKey !== undefined && keysOf(call).includes(firstKey) ? [undefined] : [];
}

function check({ capability: { schema, listKey } }: AiCall, value: unknown): AnswerSearch {
  if (value === undefined) return { kind: 'invalid', problem: NO_JSON };
  const rooted = Array.isArray(value) && listKey !== undefined ? { [listKey]: value as unknown } : value;
  let result = schema.safeParse(rooted);
  if (!result.success) {
    const decoded = schema.safeParse(withDecodedProperties(rooted));
    if (decoded.success) result = decoded;
  }
  if (result.success) {
    const fault = contentFault(result.data);
    if (!fault) return { kind: 'answer', answer: result.data };
    return { kind: 'invalid', problem: `${fault.field}: ${render(fault.message)}` };
  }
  const problem = result.error.issues
    // Ten faults are enough for a repair request.
    .slice(0, 10)
    .map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`)
    .join('; ');
  return { kind: 'invalid', problem };
}

/** Decodes objects and lists that a model encoded as text within its answer. */
function withDecodedProperties(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const isEncoded = typeof inner === 'string' && /^\s*[[{]/.test(inner);
      return [key, (isEncoded && parseJson(inner)) || inner];
    }),
  );
}

/** Returns true if the value was meant as the answer: it has half of the answer's keys, or is its list. */
function isAnswerLike(call: AiCall, value: unknown): boolean {
  const keys = keysOf(call);
  if (Array.isArray(value)) return call.capability.listKey !== undefined && isObject(value[0]);
  return isObject(value) && 2 * keys.filter((key) => Object.hasOwn(value, key)).length >= keys.length;
}

const keysOf = ({ schema }: AiCall): string[] =>
  Object.keys((schema.json.properties as object | undefined) ?? {});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
