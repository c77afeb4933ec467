import { contentFault } from '../../../common/http/request-content';
import { inWords } from '../../../common/texts/text';
import { InvalidAnswer } from '../../provider/ai-failure';
import { type AiCall } from '../ai-call';
import { jsonValues, parseJson } from './json-values';

/** Result of the search in a text: an answer, an unusable one, an incomplete one, or none. */
export type Found =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'invalid' | 'cut' | 'none'; readonly problem: string };

const NO_JSON = 'The answer is not JSON.';
/** At most so many faults are named in a repair request. */
const NAMED_FAULTS = 10;
/** At most so many values of a text are held against the schema. */
const MOST_TRIED = 20;
/** How often a value may be wrapped in another one. */
const MOST_WRAPPINGS = 3;

/**
 * The last value in a model's text that passes the schema, whatever the model or a gateway has put around it:
 * reasoning, drafts, remarks, code fences, an envelope, JSON encoded as text. Where a value behind it was
 * meant as the answer (it has the answer's keys) and cannot be used, there is none: what stands before is a
 * draft.
 */
export function findAnswer(call: AiCall, text: string): Found {
  const { values, isCut } = jsonValues(text);
  if (isCut) return { kind: 'cut', problem: NO_JSON };
  let found: Found = { kind: 'none', problem: NO_JSON };
  // Without any, the whole text may be a number or a word.
  const parsed = (values.length > 0 ? values : [text]).flatMap((value) => parse(call, value));
  let tried = 0;
  for (const value of unwrapped(call, parsed, MOST_WRAPPINGS)) {
    const isMeant = value === undefined || isAnswerLike(call, value);
    // An empty list, or one of plain values, is found in any prose.
    if (Array.isArray(value) && !isMeant && parsed.length > 1) continue;
    const checked = check(call, value);
    if (checked.kind === 'answer' || isMeant) return checked;
    if (++tried === 1) found = { ...checked, kind: 'none' };
    if (tried === MOST_TRIED) break;
  }
  return found;
}

/** @throws InvalidAnswer when the text holds none that passes the schema */
export function readAnswer(call: AiCall, text: string): unknown {
  return answerOf(call, text, findAnswer(call, text));
}

/** @throws InvalidAnswer when the value breaks the schema */
export function checkedAnswer(call: AiCall, value: unknown): unknown {
  return answerOf(call, '', check(call, value));
}

function answerOf({ provider }: AiCall, text: string, found: Found): unknown {
  if (found.kind === 'answer') return found.answer;
  throw new InvalidAnswer(provider.name, text, found.problem);
}

/** The last one first, and what one wraps before itself. */
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

/** The JSON value; undefined stands for one that was meant as the answer and is no JSON. */
function parse(call: AiCall, text: string): unknown[] {
  const value = parseJson(text);
  if (value !== undefined) return [value];
  const firstKey = /^\{\s*"([^"]*)"/.exec(text)?.[1];
  return firstKey !== undefined && keysOf(call).includes(firstKey) ? [undefined] : [];
}

function check({ capability: { schema, listKey } }: AiCall, value: unknown): Found {
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
    return { kind: 'invalid', problem: `${fault.field}: ${inWords(fault.message)}` };
  }
  const problem = result.error.issues
    .slice(0, NAMED_FAULTS)
    .map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`)
    .join('; ');
  return { kind: 'invalid', problem };
}

/** Some models encode an object or a list within their answer as text. */
function withDecodedProperties(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const isEncoded = typeof inner === 'string' && /^\s*[[{]/.test(inner);
      return [key, (isEncoded && parseJson(inner)) || inner];
    }),
  );
}

/** Whether it was meant as the answer: it has half of its keys, or is its list. */
function isAnswerLike(call: AiCall, value: unknown): boolean {
  const keys = keysOf(call);
  if (Array.isArray(value)) return call.capability.listKey !== undefined && isObject(value[0]);
  return isObject(value) && 2 * keys.filter((key) => Object.hasOwn(value, key)).length >= keys.length;
}

const keysOf = ({ schema }: AiCall): string[] =>
  Object.keys((schema.json.properties as object | undefined) ?? {});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
