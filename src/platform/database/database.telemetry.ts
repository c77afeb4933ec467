import { Injectable } from '@nestjs/common';
import { isSpanContextValid, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { Metrics } from '../observability/metrics';
import { withSpan } from '../observability/spans';
import { Tracing } from '../observability/tracing';
import { DatabaseService } from './database.service';

/** Metrics of the connection pool, and a span for each statement with its name, never with values. */
@Injectable()
export class DatabaseTelemetry {
  constructor(database: DatabaseService, metrics: Metrics, tracing: Tracing) {
    registerMetrics(database, metrics);
    if (tracing.isEnabled) database.surround(traceStatement);
  }
}

function registerMetrics(database: DatabaseService, metrics: Metrics): void {
  const connections = () => ({ 'in use': database.load.inUse, idle: database.load.idle });
  metrics.gauge('formula_database_connections', 'Connections of the pool', connections, 'state');
  metrics.gauge('formula_database_connections_max', 'Size of the pool', () => database.load.most);
  metrics.gauge(
    'formula_database_statements_waiting',
    'Statements that wait for a connection',
    () => database.load.waiting,
  );
  metrics.gauge(
    'formula_database_up',
    '0 after a statement failed to reach the database, until one succeeds',
    () => (database.load.isLost ? 0 : 1),
  );
  metrics.register(({ Counter }, registers) => {
    const cut = new Counter({
      name: 'formula_database_cut_statements_total',
      help: 'Statements that were ended early',
      labelNames: ['reason'],
      registers,
    });
    database.watchCuts((reason) => cut.inc({ reason }));
  });
}

/** Only inside a recorded trace, so background work of the service is not traced. */
async function traceStatement<T>(name: string, work: () => Promise<T>): Promise<T> {
  const parent = trace.getActiveSpan()?.spanContext();
  if (!parent || !isSpanContextValid(parent) || !(parent.traceFlags & TraceFlags.SAMPLED)) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return withSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      if (state !== undefined) span.setAttribute('db.response.status_code', state);
      throw error;
    }
  });
}

/** Returns PostgreSQL's error code, which may be in the cause of an error. */
function sqlState(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  return cause instanceof Error ? sqlState(cause) : undefined;
}
