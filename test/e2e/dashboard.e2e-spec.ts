import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '../../src/platform/observability/metrics';
import { bootApp, type TestApp } from '../support/app';
import { groupingsOf, selectionsOf } from '../support/promql';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const FILE = join(__dirname, '../../docker/grafana/formula-service.json');
const dashboard = JSON.parse(readFileSync(FILE, 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => [title, expr, legendFormat] as const),
);
interface Described {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** The collector's own. */
const OF_PROMETHEUS = ['instance', 'job'];

describe('selectionsOf', () => {
  it.each([
    ['up', [{ metric: 'up', labels: [] }]],
    ['sum by (a, b) (rate(x_total{c="{d}", e=~"f"}[5m]))', [{ metric: 'x_total', labels: ['c', 'e'] }]],
    ['topk(8, y) / time()', [{ metric: 'y', labels: [] }]],
  ])('of %s', (expression, selections) => expect(selectionsOf(expression)).toEqual(selections));
});

describe('The dashboard', () => {
  let service: TestApp;
  /** The labels of each series that there may be, by its name. */
  const labels = new Map<string, readonly string[]>();

  beforeAll(async () => {
    // Redis has metrics whether it is there or not.
    const settings = { METRICS_PORT: '0', HOST: '127.0.0.1', REDIS_URL: 'redis://127.0.0.1:1' };
    service = await bootApp({ settings });
    const { registry } = service.app.get(Metrics);
    for (const { name, labelNames, type } of registry!.getMetricsAsArray() as unknown as Described[]) {
      labels.set(name, labelNames);
      if (type !== 'histogram') continue;
      for (const part of ['_count', '_sum']) labels.set(name + part, labelNames);
      labels.set(`${name}_bucket`, [...labelNames, 'le']);
    }
  });
  afterAll(() => service.close());

  it('has a panel for each metric of the service', () => {
    const read = queries.flatMap(([, expr]) => selectionsOf(expr).map(({ metric }) => metric));
    const unread = [...labels.keys()].filter(
      (name) =>
        !read.some(
          (metric) =>
            metric.replace(/_(?:bucket|count|sum)$/, '') === name.replace(/_(?:bucket|count|sum)$/, ''),
        ) && name.startsWith('formula_'),
    );
    expect(unread).toEqual([]);
  });

  it.each(queries)('%s: every name in %s is one of a metric', (_, expr, legend) => {
    const selections = selectionsOf(expr);
    expect(selections.length).toBeGreaterThan(0);
    const known = selections.flatMap(({ metric }) => labels.get(metric) ?? []);
    for (const { metric, labels: asked } of selections) {
      expect([...labels.keys()]).toContain(metric);
      const own = [...(labels.get(metric) ?? []), ...OF_PROMETHEUS];
      expect(asked.filter((label) => !own.includes(label))).toEqual([]);
    }
    const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
    for (const label of [...groupingsOf(expr), ...shown])
      expect([...known, ...OF_PROMETHEUS]).toContain(label);
  });
});
