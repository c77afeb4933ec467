import { recoveryReport } from './recovery-report.cjs';

const line = (text: string) => `2026-01-01 10:00:00.000 UTC [42] LOG:  ${text}`;
const UNCLEAN = [
  line('database system was interrupted; last known up at 2026-01-01 09:00:00 UTC'),
  line('database system was not properly shut down; automatic recovery in progress'),
];
const redo = (end: string) => [
  ...UNCLEAN,
  line('redo starts at 0/16EFA48'),
  line(end),
  line('redo done at 0/1983288 system usage: CPU: user: 0.00 s, system: 0.00 s, elapsed: 0.20 s'),
];

describe('recoveryReport', () => {
  it('says nothing after a clean end', () => {
    expect(recoveryReport([])).toBeUndefined();
    expect(recoveryReport([line('database system was shut down at 2026-01-01')])).toBeUndefined();
  });

  it('names the part of the log that was replayed', () => {
    expect(recoveryReport(redo('invalid record length at 0/19832B0: expected at least 24, got 0'))).toEqual({
      text: 'the last end was not clean: recovered from 0/16EFA48 to 0/1983288, where the log ended',
      isSuspicious: false,
    });
  });

  it.each([
    'invalid record length at 0/19832B0: expected at least 24, got 20',
    'incorrect resource manager data checksum in record at 0/19832B0',
    'record with incorrect prev-link 0/1 at 0/19832B0',
  ])('warns when the log ends with: %s', (reason) => {
    expect(recoveryReport(redo(reason))).toEqual({
      text:
        'the last end was not clean: recovered from 0/16EFA48 to 0/1983288, where the log ended ' +
        `unexpectedly (${reason})`,
      isSuspicious: true,
    });
  });

  const notRequired = (end: string) => [...UNCLEAN, line(end), line('redo is not required')];

  it('knows an end beyond the first four gigabytes, too', () => {
    const end = 'invalid record length at 1A/19832B0: expected at least 24, got 0';
    expect(recoveryReport(redo(end))).toMatchObject({ isSuspicious: false });
  });

  it('warns when the log does not say where it ended', () => {
    expect(recoveryReport([...UNCLEAN, line('redo starts at 0/16EFA48')])).toEqual({
      text:
        'the last end was not clean: recovered from 0/16EFA48 to an unknown place, where the log ended ' +
        'unexpectedly (no reason given)',
      isSuspicious: true,
    });
  });

  it('tells when there was nothing to replay', () => {
    const end = 'invalid record length at 0/17105A8: expected at least 24, got 0';
    expect(recoveryReport(notRequired(end))).toEqual({
      text: 'the last end was not clean: there was nothing to recover',
      isSuspicious: false,
    });
  });

  it('warns when nothing is replayed because the first record is damaged', () => {
    const end = 'incorrect resource manager data checksum in record at 0/17105A8';
    expect(recoveryReport(notRequired(end))).toEqual({
      text:
        'the last end was not clean: nothing recovered from the last checkpoint, where the log ended ' +
        `unexpectedly (${end})`,
      isSuspicious: true,
    });
  });
});
