// @ts-check
'use strict';

/** The line before the one that says how the replay ended. */
const WHY_IT_ENDED = /LOG: {2}(.*\bat [0-9A-F]+\/[0-9A-F]+(?:: .*)?)\n.*redo (?:done at|is not required)/;

/** The files of the log are zero behind what was written. */
const NOTHING_WRITTEN = /invalid record length .* got 0$/;

/**
 * How PostgreSQL came back after an end that was not clean, from the lines of its log at a start.
 * @param {readonly string[]} lines
 * @returns {{ text: string, isSuspicious: boolean } | undefined} nothing after a clean end; suspicious when
 *   the log did not simply end where nothing was written any more: what came behind it, if anything, is lost
 */
function recoveryReport(lines) {
  const log = lines.join('\n');
  if (!log.includes('was not properly shut down')) return undefined;
  const [, reason] = WHY_IT_ENDED.exec(log) ?? [];
  const isSuspicious = !NOTHING_WRITTEN.test(reason ?? '');
  const end = isSuspicious
    ? `where the log ended unexpectedly (${reason ?? 'no reason given'})`
    : 'where the log ended';
  const from = /redo starts at (\S+)/.exec(log)?.[1];
  const to = /redo done at (\S+)/.exec(log)?.[1] ?? 'an unknown place';
  if (from)
    return { text: `the last end was not clean: recovered from ${from} to ${to}, ${end}`, isSuspicious };
  const nothing = isSuspicious
    ? `nothing recovered from the last checkpoint, ${end}`
    : 'there was nothing to recover';
  return { text: `the last end was not clean: ${nothing}`, isSuspicious };
}

module.exports = { recoveryReport };
