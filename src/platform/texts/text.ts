import { ERRORS, FIELD_FAULTS } from './catalogue';
import { defineTexts, type Message, renderMessage, type Texts } from './define-texts';
import { MESSAGES } from './messages';

/** Texts of errors by code, with their HTTP status, and of fields, event streams and provider tests. */
const CATALOGUE = { ...ERRORS, ...FIELD_FAULTS, ...MESSAGES };

/** The code of a text of the catalogue. Its meaning never changes; any release may add new codes. */
export type TextCode = keyof typeof CATALOGUE;

/** Creates a text of the catalogue with the values of its placeholders. */
export const text: Texts<typeof CATALOGUE> = defineTexts(CATALOGUE);

/** A fault in one field of a request. */
export interface FieldFault {
  /** Dotted with indexes: `phases.0.ingredients.1.percentage`. */
  readonly field: string;
  readonly message: FaultText;
}

/** Several faults in one text: the first `MAX_FAULTS`, and the total number. */
export interface FaultsText {
  readonly code: 'validation.failed';
  readonly faults: readonly (FieldFault | string)[];
  readonly total: number;
}

/** A fault of a field: a text of the table, or a plain string. */
export type FaultText = string | Message;

/** A text for clients. A plain string is sent unchanged in every language. */
export type Text = FaultText | FaultsText;

/** Format of a code, safe for a header: words of lower-case letters, digits and `-`, joined by dots. */
const CODE = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/;
const MAX_CODE = 80;

export const isErrorCode = (code: unknown): code is string =>
  typeof code === 'string' && code.length <= MAX_CODE && CODE.test(code);

const namespaceOf = (code: string) => code.split('.')[0];
const OUR_NAMESPACES = new Set(['error', ...Object.keys(CATALOGUE).map(namespaceOf)]);

/** Returns true if an extension may use the code for a text of its own. */
export const isOwnCode = (code: string): boolean =>
  isErrorCode(code) && !OUR_NAMESPACES.has(namespaceOf(code));

/**
 * Creates a text of an extension with a code such as `stability.locked`, for the errors that it throws. A `Language`
 * may translate it by this code.
 * @throws RangeError if the code is invalid, longer than 80 characters, or begins like one of the service's
 */
export function ownText(code: string, text: string): Message {
  if (!isErrorCode(code)) {
    throw new RangeError(
      `"${String(code)}" is no error code: <extension>.<what-is-wrong>, at most ${MAX_CODE} long.`,
    );
  }
  if (OUR_NAMESPACES.has(namespaceOf(code))) {
    throw new RangeError(
      `The error code ${code} begins as one of the service's: begin it with your own name.`,
    );
  }
  return { code, text };
}

/** Most faults that one text lists. */
const MAX_FAULTS = 20;

/** Combines faults in one text. After the first `MAX_FAULTS` they are only counted. */
export const faultsText = (faults: readonly (FieldFault | string)[]): FaultsText => ({
  code: 'validation.failed',
  faults: faults.slice(0, MAX_FAULTS),
  total: faults.length,
});

/** Creates the text of a fault in a single field. */
export const faultOf = (field: string, message: FaultText): FaultsText => faultsText([{ field, message }]);

/** Renders a text, by default in the contract's Chinese. */
export function render(message: Text, language = 'zh'): string {
  if (typeof message === 'string') return message;
  if (!('faults' in message)) return renderMessage(message, language);
  const faults = renderFaults(message, language);
  return renderMessage(text('validation.failed', { faults }), language);
}

function renderFaults({ faults, total }: FaultsText, language: string): string {
  const all = faults.map((fault) => {
    if (typeof fault === 'string') return fault;
    return `${shortened(fault.field, 200)}: ${shortened(render(fault.message, language), 250)}`;
  });
  if (total > MAX_FAULTS) all.push(render(text('validation.more-faults', { total }), language));
  return all.join('; ');
}

/** Shortens a text to `max` UTF-16 units. A cut text ends with `…` and contains no half character. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Header with the error code of an answer. */
export const ERROR_CODE_HEADER = 'X-Error-Code';

/** Returns the code of an error whose text has none. */
export const codeOfStatus = (status: number): string => `error.${status}`;

/** Returns the code of a text. */
export const codeOf = (message: Text): string | undefined =>
  typeof message === 'string' ? undefined : message.code;
