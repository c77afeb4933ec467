import { DataSource } from 'typeorm';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createIngredient, type Phase } from '../support/factories';
import { recordStatements, rowsTouched } from '../support/statements';

/** Lines shared out over phases; percentages come to 100. */
const composition = (ingredientId: string, phases: number, linesPerPhase: number): Phase[] =>
  Array.from({ length: phases }, (_, phase) => ({
    name: `相${phase}`,
    // Two phases each share a sort order, and the order sent is not the order shown.
    sortOrder: Math.floor((phases - phase) / 2),
    ingredients: Array.from({ length: linesPerPhase }, (__, line) => ({
      ingredientId,
      percentage: 100 / (phases * linesPerPhase),
      processNotes: `${phase}-${line}`,
    })),
  }));

/** Shapes of the largest compositions, and of such with a tenth of their lines. */
const SHAPES: [string, (part: number) => [phases: number, linesPerPhase: number]][] = [
  ['all in one phase', (part) => [1, 1000 * part]],
  ['in phases of five', (part) => [200 * part, 5]],
  ['each in a phase of its own', (part) => [200 * part, 1]],
];

describe('formulas of the most lines', () => {
  let service: TestApp;
  let user: Account;
  let ingredientId: string;

  beforeAll(async () => {
    service = await bootApp();
    user = await service.register();
    ingredientId = (await createIngredient(user)).id;
  });
  afterAll(() => service.close());

  /** Creates, revises and reads, with the statements each took. */
  async function work(phases: Phase[]) {
    let id = '';
    const create = await recordStatements(async () => {
      const { body } = await user.post('/api/formulas', { name: '大配方', phases }).expect(201);
      id = body.data.id;
    });
    const revise = await recordStatements(() =>
      user.put(`/api/formulas/${id}/composition`, { phases }).expect(200),
    );
    const read = await recordStatements(() => user.get(`/api/formulas/${id}`).expect(200));
    return { create, revise, read };
  }

  it.each(SHAPES)('take as many statements as small ones, %s', async (_, shape) => {
    const small = await work(composition(ingredientId, ...shape(0.1)));
    const large = await work(composition(ingredientId, ...shape(1)));

    expect(small.create.length).toBeGreaterThan(0);
    expect(large.create.length).toBe(small.create.length);
    expect(large.revise.length).toBe(small.revise.length);
    expect(large.read.length).toBe(small.read.length);
  });

  it.each(SHAPES)('take the database work in proportion to the lines, %s', async (_, shape) => {
    const runner = service.app.get(DataSource).createQueryRunner();
    const touched = async (part: number) => {
      const { create, revise, read } = await work(composition(ingredientId, ...shape(part)));
      return {
        create: await rowsTouched(runner, create),
        revise: await rowsTouched(runner, revise),
        read: await rowsTouched(runner, read),
      };
    };
    try {
      const few = await touched(0.1);
      const many = await touched(1);

      for (const step of ['create', 'revise', 'read'] as const) {
        expect(few[step]).toBeGreaterThan(20);
        // Ten times the lines: ten times the rows, not a hundred times.
        expect(many[step]).toBeLessThan(few[step] * 11);
      }
    } finally {
      await runner.release();
    }
  });

  it('read back line for line as they were sent, phases by sort order and then as sent', async () => {
    const phases = composition(ingredientId, 200, 5);
    const { body } = await user.post('/api/formulas', { name: '大配方', phases }).expect(201);
    const read = (await user.get(`/api/formulas/${body.data.id}`).expect(200)).body;

    expect(read).toEqual(body);
    const [version] = body.data.versions;
    const sent = phases.toSorted((x, y) => x.sortOrder - y.sortOrder);
    const shown = (list: Phase[]) =>
      list.map(({ name, sortOrder, ingredients }) => ({
        name,
        sortOrder,
        lines: ingredients.map((line) => [line.ingredientId, line.percentage, line.processNotes]),
      }));
    expect(shown(version.phases)).toEqual(shown(sent));
    expect(shown(version.snapshotData.phases)).toEqual(shown(sent));
  });

  it.each([
    ['201 phases', 201, 1, 'phases: 不能超过200项'],
    ['1 001 lines in one phase', 1, 1001, 'phases: 所有成分合计不能超过1000项'],
    ['1 005 lines in many', 201 - 134, 15, 'phases: 所有成分合计不能超过1000项'],
  ])('have no more: %s are refused, before a line is looked at', async (_, phases, lines, error) => {
    const body = { name: '太大', phases: composition('no id', phases, lines) };
    expectError(await user.post('/api/formulas', body), 400, error);
    const { id } = (await user.post('/api/formulas', { ...body, phases: composition(ingredientId, 1, 1) }))
      .body.data;
    expectError(await user.put(`/api/formulas/${id}/composition`, body), 400, error);
  });
});
