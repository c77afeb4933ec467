// @ts-check
'use strict';

/**
 * How PostgreSQL came back after an end that was not clean, from the lines of its log at a start.
 * @param {readonly string[]} lines
 * @returns {{ text: string, isSuspicious: boolean } | undefined} nothing after a clean end; suspicious when
 *   the log did not simply end where nothing was written any more: what came behind it, if anything, is lost
 */
function recoveryReport(lines) {
  const log = lines.join('\n');
  if (!log.includes('was not properly shut down')) return undefined;
  const from = /redo starts at (\S+)/.exec(log)?.[1];
  if (!from) {
    return { text: 'the last end was not clean; there was nothing to recover', isSuspicious: false };
  }
  const to = /redo done at (\S+)/.exec(log)?.[1] ?? 'an unknown place';
  const reason = /LOG: {2}(.*\bat [0-9A-F]+\/[0-9A-F]+(?:: .*)?)\n.*redo done at/.exec(log)?.[1];
  const isSuspicious = !/invalid record length .* got 0$/.test(reason ?? '');
  const text = `the last end was not clean: recovered from ${from} to ${to}, where the log ended`;
  return {
    text: isSuspicious ? `${text} unexpectedly (${reason ?? 'no reason given'})` : text,
    isSuspicious,
  };
}

module.exports = { recoveryReport };
