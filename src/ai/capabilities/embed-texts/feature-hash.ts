/** Number of dimensions of an embedding, as the API contract defines. */
export const EMBEDDING_SIZE = 1536;

/** Name of this algorithm. Change it whenever the results change: only vectors of one maker can be compared. */
export const LOCAL_MAKER = 'feature-hash-1';

const HAN = /\p{Script=Han}/u;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns a unit vector of 1536 numbers for a text, by feature hashing (Weinberger et al., "Feature
 * Hashing for Large Scale Multitask Learning", ICML 2009): the hash of each feature gives a position
 * and a sign, and the feature's weight is added there. Features are words and their letter trigrams
 * for alphabetic scripts, single characters and pairs for Chinese. Equal texts give equal vectors;
 * texts that share words give similar ones. A text without features gives zeros.
 */
export function featureHash(text: string): Float32Array {
  const counts = new Map<string, number>();
  for (const feature of features(text)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const vector = new Float32Array(EMBEDDING_SIZE);
  for (const [feature, count] of counts) {
    const hash = fnv1a(feature);
    const place = (hash >>> 1) % EMBEDDING_SIZE;
    // A word that occurs ten times is not ten times as important.
    const weight = 1 + Math.log(count);
    vector[place] = (vector[place] ?? 0) + (hash & 1 ? weight : -weight);
  }
  return normalised(vector);
}

function* features(text: string): Generator<string> {
  for (const run of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? []) {
    if (HAN.test(run)) yield* hanFeatures(run);
    else yield* wordFeatures(run);
  }
}

function* hanFeatures(run: string): Generator<string> {
  const characters = [...run];
  for (const [at, character] of characters.entries()) {
    yield character;
    const next = characters[at + 1];
    if (next !== undefined) yield character + next;
  }
}

function* wordFeatures(word: string): Generator<string> {
  yield `w:${word}`;
  const padded = `^${word}$`;
  for (let at = 0; at + 3 <= padded.length; at++) yield padded.slice(at, at + 3);
}

/** 32-bit FNV-1a hash over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), FNV_PRIME);
    hash = Math.imul(hash ^ (unit >>> 8), FNV_PRIME);
  }
  return hash >>> 0;
}

function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
