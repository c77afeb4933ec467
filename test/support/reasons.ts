import { renderMessage } from '../../src/platform/texts/define-texts';

/** Renders all messages within a value in English, and a fault of a field as `field: message`. */
export function inEnglish(value: unknown): any {
  if (Array.isArray(value)) return value.map(inEnglish);
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, inEnglish(one)]));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  if ('code' in value && typeof value.code === 'string')
    return renderMessage(value as { code: string }, 'en');
  const entries = Object.entries(value).map(([key, one]) => [key, inEnglish(one)]);
  const rendered = Object.fromEntries(entries) as Record<string, unknown>;
  const keys = Object.keys(rendered).sort().join();
  return keys === 'field,reason' ? `${String(rendered.field)}: ${String(rendered.reason)}` : rendered;
}
