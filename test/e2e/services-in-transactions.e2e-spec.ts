import { randomUUID } from 'node:crypto';
import {
  ConflictError,
  FormulasService,
  IngredientsService,
  InvalidInputError,
  TransactionManager,
} from '../../src/index';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, wholeOf } from '../support/factories';

/*
 * An extension calls our services in a transaction of its own. PostgreSQL answers nothing in it behind a
 * refused write, and what a client did wrong is told all the same.
 */
describe('In a transaction of an extension', () => {
  let service: TestApp;
  let user: Account;
  const inTransaction = <T>(work: () => Promise<T>) => service.app.get(TransactionManager).run(work);

  beforeAll(async () => {
    service = await bootApp();
    user = await service.register();
  });
  afterAll(() => service.close());

  it('a formula of an unknown ingredient and project is refused with both', async () => {
    const formulas = service.app.get(FormulasService, { strict: false });
    const input = { name: '乳液', projectId: randomUUID(), phases: wholeOf(randomUUID()) };
    const told = new InvalidInputError(
      'projectId: 项目不存在; phases.0.ingredients.0.ingredientId: 成分不存在',
    );
    await expect(inTransaction(() => formulas.create(user, input))).rejects.toMatchObject({
      name: told.name,
      message: told.message,
    });
  });

  it('so is a version', async () => {
    const formulas = service.app.get(FormulasService, { strict: false });
    const { id: ingredientId } = await createIngredient(user);
    const { id } = await createFormula(user, wholeOf(ingredientId));
    const revised = inTransaction(() => formulas.revise(user, id, { phases: wholeOf(randomUUID()) }));
    await expect(revised).rejects.toMatchObject({ name: 'InvalidInputError' });
    await expect(
      inTransaction(() => formulas.revise(user, id, { phases: wholeOf(ingredientId) })),
    ).resolves.toBeDefined();
  });

  it('an ingredient in use stays, with the number of its uses; one that is not goes, and is not there', async () => {
    const ingredients = service.app.get(IngredientsService, { strict: false });
    const used = await createIngredient(user);
    await createFormula(user, wholeOf(used.id));
    const refused = inTransaction(() => ingredients.delete(user, used.id));
    await expect(refused).rejects.toBeInstanceOf(ConflictError);
    await expect(refused).rejects.toMatchObject({ details: { usageCount: 1 } });
    const unused = await createIngredient(user);
    await inTransaction(() => ingredients.delete(user, unused.id));
    await expect(inTransaction(() => ingredients.delete(user, unused.id))).rejects.toMatchObject({
      name: 'NotFoundError',
    });
  });
});
