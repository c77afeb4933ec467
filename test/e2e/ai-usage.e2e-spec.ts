import { DataSource } from 'typeorm';
import { AuditRetention, ROWS_AT_ONCE } from '../../src/ai/pipeline/audit/audit.interceptor';
import { DELETION_LOCK } from '../../src/ai/pipeline/audit/ai-audit.repository';
import { type Account, bootApp, type TestApp } from '../support/app';
import { cli } from '../support/cli';
import { TEST_SERVER } from '../support/databases';

describe('AI usage', () => {
  let service: TestApp;
  let user: Account;
  const sql = (text: string, values: unknown[] = []): Promise<{ n: number }[]> =>
    service.app.get(DataSource).query(text, values);
  const add = (capability: string, tokens: number | null, at: string, userId: string | null = user.id) =>
    sql(
      `INSERT INTO ai_audit_logs (user_id, capability, model_name, prompt_hash, tokens_used, created_at)
       VALUES ($1, $2, 'm', 'h', $3, ${at})`,
      [userId, capability, tokens],
    );
  const run = (...args: string[]) => cli(['ai', ...args], { app: service.app });

  beforeAll(async () => {
    service = await bootApp({ settings: { AI_AUDIT_RETENTION_DAYS: '30' } });
    user = await service.register('lin');
  });
  afterAll(() => service.close());
  beforeEach(() => sql('DELETE FROM ai_audit_logs'));

  it('is told by user and capability', async () => {
    await add('predict', 7, "'2026-11-01T00:00Z'");
    await add('predict', null, "'2026-11-02T00:00Z'");
    await add('search', 5, "'2026-11-03T00:00Z'", null);
    const { code, stdout } = await run('usage');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'capability\tcalls\ttokens\tuser\tusername',
      `predict\t2\t7\t${user.id}\tlin`,
      'search\t1\t5\t-\t-',
      'total\t3\t12\t-\t-',
    ]);
    const between = await run(
      'usage',
      '--since',
      '2026-11-02',
      '--until',
      '2026-11-03T08:00:00+08:00',
      '--json',
    );
    expect(JSON.parse(between.stdout)).toEqual([
      { userId: user.id, username: 'lin', capability: 'predict', calls: 1, tokens: 0 },
    ]);
  });

  it.each(['yesterday', '2026-02-31', '2026-11-01T99:00:00Z', '2026-11-01T08:00:00'])(
    'knows no moment %s',
    async (moment) => {
      const { code, stderr } = await run('usage', '--since', moment);
      expect([code, stderr]).toEqual([2, expect.stringContaining('--since must be YYYY-MM-DD')]);
    },
  );

  const old = () =>
    sql(`INSERT INTO ai_audit_logs (capability, model_name, prompt_hash, created_at)
         SELECT 'old', 'm', 'h', now() - interval '31 days' FROM generate_series(1, ${ROWS_AT_ONCE + 1})`);

  it('loses rows that are too old, a few at a time, and no other', async () => {
    await old();
    await add('young', 1, "now() - interval '29 days'");
    expect(await service.app.get(AuditRetention).deleteOld(0)).toBe(ROWS_AT_ONCE + 1);
    expect(await sql('SELECT capability FROM ai_audit_logs')).toEqual([{ capability: 'young' }]);
  });

  const onServer = TEST_SERVER ? it : it.skip;
  onServer('loses none while another instance is at it', async () => {
    await old();
    const other = service.app.get(DataSource).createQueryRunner();
    await other.startTransaction();
    await other.query(`SELECT pg_advisory_xact_lock(${DELETION_LOCK})`);
    expect(await service.app.get(AuditRetention).deleteOld(0)).toBe(0);
    await other.rollbackTransaction();
    await other.release();
    expect(await service.app.get(AuditRetention).deleteOld(0)).toBe(ROWS_AT_ONCE + 1);
  });
});
