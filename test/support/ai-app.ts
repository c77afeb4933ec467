import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppModule, type RegisterOptions } from '../../src/app.module';
import { AiScheduler } from '../../src/ai/pipeline/ai-call';
import { RuntimeConfiguration } from '../../src/platform/runtime-config/runtime-configuration';
import { type Account, bootApp, type TestApp } from './app';
import { FakeProvider } from './fake-providers';
import { SkippingScheduler } from './skipping-scheduler';

export const SECRET_KEY = 'sk-very-secret-0123456789';

export interface AuditRow {
  capability: string;
  model_name: string;
  prompt_hash: string;
  tokens_used: number | null;
  duration_ms: number | null;
}

/** The application with one provider, which is a fake; its time is the test's. */
export interface AiApp {
  readonly app: TestApp;
  readonly user: Account;
  readonly fake: FakeProvider;
  readonly time: SkippingScheduler;
  /** Everything logged since the start, by level. */
  readonly logged: { level: string; text: string }[];
  audits(): Promise<AuditRow[]>;
  /** Changes the provider's stored key or address, or the mode; an empty text takes it back. */
  configure(change: {
    readonly key?: string;
    readonly baseUrl?: string;
    readonly aiMock?: string;
  }): Promise<void>;
  close(): Promise<void>;
}

interface BootAiOptions {
  /** Real time instead of the test's. */
  readonly realTime?: boolean;
  readonly settings?: Record<string, string>;
  /** Shortest time that is a limit and no pause, in milliseconds. */
  readonly limitMs?: number;
  readonly extensions?: RegisterOptions['extensions'];
}

/** @param provider the name of a provider that has a fake in its folder */
export async function bootAiApp(provider: string, options: BootAiOptions = {}): Promise<AiApp> {
  const fake = await FakeProvider.start(provider);
  const time = new SkippingScheduler(options.limitMs);
  const logged = captureLogs();
  const upper = provider.toUpperCase();
  const app = await bootApp({
    settings: {
      AI_MOCK: 'false',
      [`${upper}_API_KEY`]: SECRET_KEY,
      [`${upper}_BASE_URL`]: fake.baseUrl,
      ...options.settings,
    },
    module: { imports: [options.extensions ? AppModule.register(options) : AppModule] },
    adjust: (builder) => (options.realTime ? builder : builder.overrideProvider(AiScheduler).useValue(time)),
  });
  const user = await app.register();
  return {
    app,
    user,
    fake,
    time,
    logged,
    audits: () => app.app.get(DataSource).query('SELECT * FROM ai_audit_logs ORDER BY created_at, id'),
    configure: ({ key, baseUrl, aiMock }) =>
      app.app
        .get(RuntimeConfiguration)
        .update(
          { [`${provider}Key`]: key, [`${provider}BaseUrl`]: baseUrl, aiMock },
          { ...user, role: 'admin' },
        ),
    close: async () => {
      await app.close();
      await fake.stop();
      jest.restoreAllMocks();
    },
  };
}

function captureLogs(): { level: string; text: string }[] {
  const logged: { level: string; text: string }[] = [];
  for (const level of ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...args: unknown[]) => {
      logged.push({ level, text: args.map((arg) => describe(arg)).join(' ') });
    });
  }
  return logged;
}

function describe(value: unknown): string {
  if (value instanceof Error) return `${value.stack ?? ''} ${JSON.stringify(value)} ${describe(value.cause)}`;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
