import { limit, material, part, screened } from '../../../test/support/screenings';
import type { DocumentLanguage } from '../../documents/document';
import type { Limit } from '../editions/limit.entity';
import { definedTexts } from '../../platform/texts/define-texts';
import { UNEXAMINED_TOPICS } from './screening.dto';
import { screeningDocument } from './screening.document';
import { MAX_DETAILS, MAX_RESULTS, screeningOf, worstOf } from './screening.service';

const edition = {
  id: 'e',
  name: 'Table 1',
  regions: ['eu'],
  rowCount: 3,
  importedAt: '2026-08-18T23:30:00.000Z',
  annexes: ['II', 'III'],
  refusedCount: 2,
  refused: [],
  defaultRegions: [],
};
const composition = {
  formulaId: 'f',
  formulaName: 'F',
  versionNumber: 1,
  createdAt: '',
  profile: null,
  phases: [],
};

const shown = async (
  materials: Parameters<typeof screened>[0],
  limits: readonly Limit[] | null,
  lang: DocumentLanguage = 'en',
  conditions: Parameters<typeof screened>[2] = {},
) =>
  screeningOf(await screened(materials, limits, conditions), {
    composition,
    edition: limits && edition,
    region: 'eu',
    productType: 'face-leave-on',
    fromProfile: [],
    purpose: undefined,
    on: '2026-12-01',
    lang,
    ...conditions,
  });

describe('the words of a screening', () => {
  const limits = [
    limit({ annex: 'II', entry: '9', kind: 'prohibited', inciNames: ['P'] }),
    limit({ entry: '1', tier: 'b', inciNames: ['A', 'N'], limitPercent: '1' }),
    limit({ entry: '2', inciNames: ['Z'], limitPercent: '1', basis: 'zinc' }),
    limit({ entry: '3', inciNames: ['L'], limitPercent: '1', productTypes: ['shampoo'] }),
    limit({ entry: '4', inciNames: ['D'], limitPercent: '1', kind: 'declare-above' }),
  ];
  const materials = ['P', 'A', 'Z', 'L', 'D', 'U'].map((name) => material(name, 2));
  const all = [...materials, material('N', 0.5)];

  it('say that shares are not scaled where the percentages do not make 100', async () => {
    const screening = await shown(all, limits);
    const notesOf = (total: number) => screeningDocument({ ...screening, total }, 'en').notes.join('\n');
    expect(notesOf(99.6)).toContain('add up to 99.6%; they are compared as entered, not scaled to 100%');
    expect(notesOf(100)).not.toContain('add up to');
  });

  it('are those, and no others', async () => {
    expect((await shown(all, limits)).results.map(({ wording }) => wording)).toEqual([
      'matches an entry of the list of prohibited substances',
      'above the limit of entry III/1 (b) for product type face, leave-on',
      'cannot be judged: basis missing',
      'listed only for other uses or product types',
      'declare on the label above the threshold',
      'not above the limit of entry III/1 (b) for product type face, leave-on; further conditions: none in the loaded table',
      'no loaded entry matched this ingredient',
    ]);
    expect((await shown(all, limits, 'zh')).results.map(({ wording }) => wording)).toEqual([
      '与禁用物质清单中的条目匹配',
      '高于条目 III/1 (b) 对产品类型“面部驻留类”的限值',
      '无法判定：缺少计量基准',
      '仅列于其他用途或产品类型',
      '超过阈值，须在标签上标注',
      '未高于条目 III/1 (b) 对产品类型“面部驻留类”的限值；其他条件：载入的表中没有',
      '载入的表中没有与该成分匹配的条目',
    ]);
    expect((await shown(all, null)).results).toMatchObject([
      { result: 'no-data', wording: 'no data loaded', edition: null, editionDate: null },
    ]);
  });

  it('the worst result wins in the summary', async () => {
    const summaryWithout = async (count: number) => (await shown(all.slice(count), limits)).summary.result;
    expect(await Promise.all([0, 1, 2, 3, 4, 5].map(summaryWithout))).toEqual([
      'prohibited',
      'above-limit',
      'cannot-be-judged',
      'listed-for-other-uses',
      'declare',
      'not-above-limit',
    ]);
    expect((await shown(all, limits)).summary.counts).toEqual({
      prohibited: 1,
      'above-limit': 1,
      'cannot-be-judged': 1,
      'listed-for-other-uses': 1,
      declare: 1,
      'not-above-limit': 1,
      'no-entry-matched': 1,
    });
    const nothing = await shown([material('U', 2), material('V', 2)], limits);
    expect(nothing.summary).toEqual({
      result: 'no-finding',
      wording: 'no finding in the loaded data; ingredients that no entry matched: 2',
      counts: { 'no-entry-matched': 2 },
    });
    expect(nothing.notExamined.unmatched).toBe(2);
    expect((await shown(all, null)).summary).toMatchObject({ result: 'no-data', wording: 'no data loaded' });
  });

  it('close with the fixed line', async () => {
    expect((await shown(all, limits, 'zh')).closing).toBe(
      '与 2026-08-18 载入的限值表比对。不构成法律意见，也不是安全评估。以法规正式文本为准，由有资质的人员判定。',
    );
    expect((await shown(all, null)).closing).toContain('the loaded table of (no data loaded).');
  });

  it('name what was not examined', async () => {
    const { notExamined } = await shown(
      [material('A (and) B', 2.5), material('Q', 0.5, { category: null })],
      limits,
    );
    expect(notExamined.unknownPercentage).toBe('3');
    expect(notExamined.refusedRows).toBe(2);
    expect(notExamined.parts.map(({ inciName, share }) => [inciName, share])).toEqual([
      ['A (and) B', '2.5'],
      ['Q', '0.5'],
    ]);
    expect(notExamined.topics.map(({ code }) => code)).toEqual([...UNEXAMINED_TOPICS]);
  });

  it('say nowhere that something is in order', () => {
    const own = [...definedTexts()].filter(([code]) => /^(?:screening|product-type)\./.test(code));
    expect(own.length).toBeGreaterThan(100);
    const texts = JSON.stringify(own).replaceAll('安全评估', '');
    expect(texts).not.toMatch(
      /\b(?:allowed|safe|safely|compl(?:y|ies|iant|iance)|pass(?:es|ed)?|ok|legal)\b(?! advice| texts)/i,
    );
    expect(texts).not.toMatch(/允许|安全|合规|合格|通过|符合|达标/);
  });
});

describe('a page', () => {
  const limits = [
    limit({
      entry: '1',
      inciNames: ['A'],
      limitPercent: '1',
      limitText: '1 % as acid',
      basis: 'acid',
      factor: '0.5',
      conditions: 'c',
    }),
    limit({ entry: '2', inciNames: ['A'], limitPercent: '1', validFrom: '2027-01-01' }),
  ];
  it('has the results, what was not examined, and what begins later', async () => {
    const data = await shown(
      [material('Raw', 5, { of: [part('A', [40, 50]), part('B', [50, 60])] }), material('X (and) Y', 95)],
      limits,
    );
    const { tables, notes, facts } = screeningDocument(data, 'en');
    expect(tables.map(({ title, rows }) => [title, rows.length])).toEqual([
      ['Results', 3],
      ['Parts of unknown composition, not examined', 1],
      ['Rows that begin later', 1],
    ]);
    const [first] = tables[0]!.rows.filter(({ cells }) => cells[0] === 'III/1');
    expect(first!.cells).toEqual([
      'III/1',
      'above the limit of entry III/1 for product type face, leave-on',
      'A',
      1.25,
      '1 % as acid\nBasis: acid',
      '1 % as acid',
      'acid',
      '',
      'c',
      'A: Raw 5% → 2.5%',
      'The share is a range; its maximum is used\nThe share is multiplied by the factor of the table\nSource: [1]',
      'The share is a range; its maximum is used\nThe share is multiplied by the factor of the table',
      'made up',
      'EU',
      'Table 1',
      '2026-08-18',
      'face, leave-on',
    ]);
    expect(first!.tone).toBe('removed');
    expect(facts).toContainEqual(['Worst result', first!.cells[1]]);
    expect(notes.at(-1)).toBe(data.closing);
    expect(notes).toHaveLength(UNEXAMINED_TOPICS.length + 3);
  });

  it('of no data is a page, too', async () => {
    const { tables } = screeningDocument(await shown([material('A', 1)], null, 'zh'), 'zh');
    expect(tables[0]!.rows.map(({ cells }) => cells[1])).toEqual(['未载入数据']);
  });
});

describe('the size of an answer', () => {
  it('is bounded: the worst results are shown', async () => {
    const rows = Array.from({ length: MAX_RESULTS + 1 }, (_, index) =>
      limit({ entry: String(index), inciNames: ['A'], limitPercent: index === 7 ? '0.5' : '2' }),
    );
    const data = await shown([material('A', 1)], rows);
    expect(data.resultCount).toBe(MAX_RESULTS + 1);
    expect(data.results).toHaveLength(MAX_RESULTS);
    expect(data.results[0]).toMatchObject({ result: 'above-limit', rows: [{ entry: '7' }] });
    expect(screeningDocument(data, 'en').notes).toContain(
      `Of ${MAX_RESULTS + 1} results, the ${MAX_RESULTS} worst are shown.`,
    );
    expect(data.summary.counts).toEqual({ 'above-limit': 1, 'not-above-limit': MAX_RESULTS });
  });

  it('counts rows and lines', async () => {
    const lines = Array.from({ length: 500 }, () => material('A', 0.1));
    const rows = Array.from({ length: 100 }, () => limit({ inciNames: ['A'], limitPercent: '1' }));
    const { findings } = await screened(lines, rows);
    expect(worstOf(findings).length).toBe(Math.floor(MAX_DETAILS / 502));
    expect(worstOf(findings.slice(0, 1))).toHaveLength(1);
  });
});

it('a page names each source once, by its number', async () => {
  const limits = ['A', 'B', 'C'].map((name) =>
    limit({ inciNames: [name], limitPercent: '1', source: name === 'C' ? 'Law 2' : 'Law 1' }),
  );
  const materials = ['A', 'B', 'C'].map((name) => material(name, 0.5));
  const { tables, notes } = screeningDocument(await shown(materials, limits), 'en');
  const [{ columns, rows }] = tables as [(typeof tables)[number]];
  const remarks = columns.findIndex(({ title, only }) => title === 'Remarks' && only === 'page');
  expect(rows.map(({ cells }) => cells[remarks])).toEqual(['Source: [1]', 'Source: [1]', 'Source: [2]']);
  expect(notes).toEqual(expect.arrayContaining(['[1] Law 1', '[2] Law 2']));
});
