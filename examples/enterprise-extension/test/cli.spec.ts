import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AccountsService, AppModule } from 'formula-development-service';
import { CliIo, runCli } from 'formula-development-service/cli';
import { EXTENSIONS } from '../src/app.module';
import { TeamCommandsModule } from '../src/teams/team-commands.module';
import { TeamsService } from '../src/teams/teams.service';
import { createTestApp } from 'formula-development-service/testing';

class TestIo extends CliIo {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
}

describe('The command join-team', () => {
  const saved = { ...process.env };
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enterprise-extension-'));
    delete process.env.DATABASE_URL;
    Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: 'error' });
  });
  afterAll(async () => {
    process.env = saved;
    await rm(folder, { recursive: true });
  });

  const run = async (...args: string[]) => {
    const io = new TestIo();
    const code = await runCli(AppModule.register({ extensions: [...EXTENSIONS, TeamCommandsModule] }), {
      args,
      io,
    });
    io.stdout.end();
    io.stderr.end();
    return { code, out: await text(io.stdout), errors: await text(io.stderr) };
  };

  it('makes a user a member of a team', async () => {
    const settings = { DATA_DIR: folder };
    const app = await createTestApp({ extensions: EXTENSIONS, settings });
    await app.account('ann');
    await app.close();

    expect(await run('join-team', 'ann', 'Skin')).toMatchObject({ code: 0, out: 'ann is in Skin.\n' });

    const again = await createTestApp({ extensions: EXTENSIONS, settings });
    const ann = await again.get(AccountsService).findByName('ann');
    expect(await again.get(TeamsService).teamOf(ann!.id)).toMatchObject({ name: 'Skin' });
    await again.close();
  });

  it('says what is wrong', async () => {
    expect(await run('join-team', 'nobody', 'Skin')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Error: Nobody has this username'),
    });
    expect(await run('join-team', 'ann', ' ')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Error: a team has a name'),
    });
  });
});
