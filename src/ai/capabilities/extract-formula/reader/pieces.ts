import { hasAmount, hasWord } from './runs';
import { type Token, tokensOf } from './tokens/tokenizer';
import { JOINING } from './tokens/vocabulary';

export const LONGEST_PIECE = 300;
const BULLET = /^[•●○■□▪▫‣◆◇★☆※➢➤∙‧・◦◉◎►▶❖♦\ue000-\uf8ff]$/u;

interface Span {
  readonly start: number;
  readonly end: number;
  readonly isNote?: boolean;
}

interface Piece extends Span {
  readonly tokens: Token[];
}

/** Cuts a line at its separators, but not within a name, nor between two amounts of one ingredient. */
export function* piecesOf(text: string, isProcedure: boolean): Generator<Span, void, void> {
  const isEach = /各|\b(?:each|je|chacun)\b/iu.test(text);
  let piece: Piece | undefined;
  for (const { by, ...chunk } of chunksOf(text)) {
    if (piece?.isNote) piece = { ...piece, end: chunk.end };
    else if (
      piece &&
      by !== '//' &&
      ((by === 'and' && isProcedure) || isOneWith(piece, chunk.tokens, by, isEach))
    ) {
      piece.tokens.push(...chunk.tokens);
      piece = { ...piece, end: chunk.end };
    } else {
      if (piece && piece.tokens.length > 0) yield piece;
      piece = { ...chunk, ...(by === '//' && { isNote: true }) };
    }
  }
  if (piece && piece.tokens.length > 0) yield piece;
}

/** What stands between separators, with the one before it. */
function* chunksOf(text: string): Generator<Piece & { readonly by: string }, void, void> {
  let chunk = { tokens: [] as Token[], start: 0, end: 0, by: '' };
  for (const token of tokensOf(text)) {
    const isStop =
      token.text === '.' && /^\s+[\p{Lu}\p{Script=Han}\d*†‡]/u.test(text.slice(token.end, token.end + 4));
    const isJoining = token.kind === 'word' && JOINING.test(token.text);
    if (token.kind === 'separator' || isStop || isJoining) {
      yield chunk;
      chunk = { tokens: [], start: token.end, end: token.end, by: isJoining ? 'and' : token.text };
    } else {
      chunk.tokens.push(token);
      chunk.end = token.end;
    }
  }
  yield chunk;
}

function isOneWith(last: Piece, next: Token[], by: string, isEach: boolean): boolean {
  if (/^[;；。]$/u.test(by)) return false;
  const isComplete = hasAmount(last.tokens) && hasWord(last.tokens);
  if (by === '、' || BULLET.test(by)) return isEach && !isComplete;
  if (last.end - last.start > LONGEST_PIECE) return false;
  if (!isComplete || (hasAmount(next) && !hasWord(next))) return true;
  return by === 'and' && !(hasAmount(next) && hasWord(next));
}

/** Pieces of a line that have a name and a number: counted where they are too many to be read. */
export const countPieces = (line: string): number =>
  line.split(/[;。、,，]/u).filter((piece) => /\p{L}/u.test(piece) && /\d|[余适適]|q\.?s/u.test(piece))
    .length;
