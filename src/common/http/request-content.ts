import type { FieldFault } from '../errors/service-error';

/**
 * Deepest nesting of arrays and objects in a request. Recursive readers and PostgreSQL's JSON parser stay far
 * from their limits.
 */
export const MAX_DEPTH = 100;

/**
 * The first thing in a parsed body or query that cannot be stored as it is: a text with a NUL character or an
 * unpaired surrogate (PostgreSQL has neither), a number beyond a double (JSON.parse makes it infinite), or
 * nesting deeper than `MAX_DEPTH`. Walks without recursion.
 */
export function contentFault(root: unknown): FieldFault | undefined {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let item = pending.pop(); item; item = pending.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      const message = textFault(value);
      if (message) return { field: path || 'body', message };
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      return { field: path || 'body', message: '必须是有限的数字' };
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH)
        return { field: path.split('.')[0] || 'body', message: `嵌套不能超过${MAX_DEPTH}层` };
      const entries = Object.entries<unknown>(value as Record<string, unknown>);
      // Backwards, so that the first fault in reading order is the one reported.
      for (let i = entries.length - 1; i >= 0; i--) {
        const [key, child] = entries[i]!;
        const keyFault = textFault(key);
        if (keyFault) return { field: path || 'body', message: keyFault };
        const mayFail = typeof child === 'string' || (typeof child === 'number' && !Number.isFinite(child));
        if (mayFail || (typeof child === 'object' && child !== null)) {
          pending.push({ value: child, path: path ? `${path}.${key}` : key, depth: depth + 1 });
        }
      }
    }
  }
  return undefined;
}

function textFault(text: string): string | undefined {
  if (text.includes('\u0000')) return '不能包含空字符';
  if (!text.isWellFormed()) return '不是有效的 Unicode 文本';
  return undefined;
}
