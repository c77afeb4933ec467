import { inEnglish } from '../../test/support/reasons';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-file';
import {
  compareRows,
  emptyPlan,
  type ImportMatch,
  type ImportPlan,
  type ImportRecord,
  reportOf,
} from '../files/compare-rows';
import { importAnswer } from '../files/import-report';
import { importText } from '../files/import.texts';

async function compared(drafts: IngredientDraft[], matches: ImportRecord[][]): Promise<ImportPlan> {
  const plan = emptyPlan();
  await compareRows(plan, drafts, matches, INGREDIENT_RULES, new Map());
  return inEnglish(plan) as ImportPlan;
}

const draft = (values: Partial<IngredientDraft> = {}): IngredientDraft => ({
  line: 2,
  inciName: 'GLYCERIN',
  ...values,
});
const record = (values: Partial<ImportRecord> = {}): ImportRecord => ({
  id: 'id-1',
  inciName: 'Glycerin',
  chineseName: '甘油',
  functionCategory: 'humectant',
  supplier: null,
  unit: 'kg',
  unitPrice: 12.5,
  description: null,
  ...values,
});
const nothing = { creations: [], changes: [], unchanged: 0, refused: [] };
const noChange = {
  id: 'id-1',
  chineseName: null,
  functionCategory: null,
  unit: null,
  unitPrice: null,
  description: null,
  names: null,
};

describe('compareRows by the rules of ingredients', () => {
  it('creates what is not there, with defaults for what the row does not say', async () => {
    const outcome = await compared([draft({ chineseName: '甘油', suggestedCategory: 'humectant' })], [[]]);
    expect(outcome).toEqual({
      ...nothing,
      creations: [
        {
          inciName: 'GLYCERIN',
          chineseName: '甘油',
          functionCategory: 'humectant',
          supplier: null,
          unit: 'kg',
          unitPrice: null,
          description: null,
          names: null,
        },
      ],
    });
  });

  it('prefers the category of the row to a suggested one', async () => {
    const row = draft({ chineseName: '甘油', suggestedCategory: 'other', functionCategory: 'humectant' });
    expect((await compared([row], [[]])).creations[0]?.functionCategory).toBe('humectant');
  });

  it('names a column that would tell the records apart, if the file has none and their values differ', async () => {
    const reasonOf = async (values: Partial<IngredientDraft>, ...suppliers: (string | null)[]) => {
      const found = suppliers.map((supplier, at) => record({ id: `id-${at}`, supplier }));
      const { refused } = await compared([draft(values)], [found]);
      return refused[0]?.faults[0]?.reason;
    };
    const several = 'matches 2 ingredients of the catalogue';
    expect(await reasonOf({}, 'BASF', 'Oleon')).toBe(
      `GLYCERIN ${several}: name the supplier in a column of its own`,
    );
    expect(await reasonOf({}, 'BASF', 'BASF')).toBe(`GLYCERIN ${several}`);
    expect(await reasonOf({ supplier: 'BASF' }, 'BASF', 'BASF')).toBe(`GLYCERIN (BASF) ${several}`);
  });

  it.each([
    [{ unitPrice: 1 }, /GLYCERIN is not in the catalogue.*chineseName and functionCategory.*missing/],
    [{ chineseName: '甘油' }, /functionCategory \(or cosingFunctions\) is missing/],
    [{ functionCategory: 'other' as const }, /create it chineseName is missing/],
  ])('refuses to create from %p', async (values, reason) => {
    const outcome = await compared([draft(values)], [[]]);
    expect(outcome).toMatchObject({
      ...nothing,
      refused: [
        {
          line: 2,
          faults: [{ field: 'inciName', value: 'GLYCERIN', reason: expect.stringMatching(reason) as string }],
        },
      ],
    });
  });

  it('changes exactly the fields that the row has and that differ', async () => {
    expect(await compared([draft({ unitPrice: 13 })], [[record()]])).toEqual({
      ...nothing,
      changes: [{ ...noChange, unitPrice: 13 }],
    });
    expect(await compared([draft({ unitPrice: 0, chineseName: '甘油', unit: 'g' })], [[record()]])).toEqual({
      ...nothing,
      changes: [{ ...noChange, unitPrice: 0, unit: 'g' }],
    });
  });

  it('leaves the spelling of the INCI name and a decided category alone', async () => {
    const row = draft({ chineseName: '甘油', suggestedCategory: 'other', unitPrice: 12.5 });
    expect(await compared([row], [[record()]])).toEqual({ ...nothing, unchanged: 1 });
  });

  it('does not take surrounding white space of a record for a difference', async () => {
    expect(await compared([draft({ chineseName: '甘油' })], [[record({ chineseName: ' 甘油' })]])).toEqual({
      ...nothing,
      unchanged: 1,
    });
  });

  it('refuses a row that matches several records, and says what would help', async () => {
    const bySupplier = [record({ supplier: 'A' }), record({ id: 'id-2', supplier: 'B' })];
    expect((await compared([draft()], [bySupplier])).refused).toMatchObject([
      {
        line: 2,
        faults: [
          {
            reason:
              'GLYCERIN matches 2 ingredients of the catalogue: name the supplier in a column of its own',
          },
        ],
      },
    ]);
    const same = [record({ supplier: 'A' }), record({ id: 'id-2', supplier: 'A' })];
    expect((await compared([draft({ supplier: 'A' })], [same])).refused).toMatchObject([
      { line: 2, faults: [{ reason: 'GLYCERIN (A) matches 2 ingredients of the catalogue' }] },
    ]);
  });
});

describe('a record that several rows change', () => {
  const change = draft({ unitPrice: 13 });
  const refusedLines = async (matches: ImportMatch[][]) => {
    const drafts = matches.map((_, at) => ({ ...change, line: at + 2 }));
    const { refused, changes } = await compared(drafts, matches);
    return [refused.map(({ line }) => line), changes.length];
  };

  it('is changed by the first of them, and not by one that is refused or may mean another', async () => {
    const refusal = importText('import.empty');
    expect(await refusedLines([[record()], [record()], [record()]])).toEqual([[3, 4], 1]);
    expect(await refusedLines([[record({ refusal })], [record()]])).toEqual([[2], 1]);
    expect(await refusedLines([[record(), record({ id: 'id-2' })], [record()]])).toEqual([[2], 1]);
  });
});

describe('the report of an import', () => {
  const refusedAt = (line: number, faults = 1) => ({
    line,
    faults: Array.from({ length: faults }, () => ({ reason: 'bad' })),
  });
  const report = (plan: Partial<ImportPlan> = {}, request: object = {}) =>
    reportOf(
      { drafts: [draft()], refused: [refusedAt(9)], ...request },
      { ...emptyPlan(), ...plan },
      { replaced: [], notes: [] },
    );

  it('has the refused rows in the order of the file', () => {
    const { rows, refused } = report({ refused: [refusedAt(4), refusedAt(12)] });
    expect([rows, refused.map(({ line }) => line)]).toEqual([2, [4, 9, 12]]);
  });

  it.each([
    [{ refused: [] }, true],
    [{}, false],
    [{ skipRefused: true }, true],
    [{ skipRefused: true, dryRun: true }, false],
    [{ refused: [], dryRun: true }, false],
  ])('of %j: the rows are written: %s', (request, applied) => {
    expect(report({}, request).applied).toBe(applied);
  });

  it.each([
    [Array.from({ length: 200 }, (_, at) => refusedAt(at + 2)), 200],
    [Array.from({ length: 201 }, (_, at) => refusedAt(at + 2)), 200],
    [[refusedAt(2, 199), refusedAt(3, 2)], 200],
    [[{ ...refusedAt(2), isConsequence: true }, refusedAt(3)], 1],
  ])('answers with at most 200 faults: %#', (refused, count) => {
    const { faults, refused: all } = importAnswer(report({}, { refused }), 'en');
    expect([faults.length, all]).toEqual([count, refused.length]);
  });
});
