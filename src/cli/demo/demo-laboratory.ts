import { randomBytes } from 'node:crypto';
import { AuthService } from '../../users/auth.service';
import { UsersRepository } from '../../users/users.repository';
import { ColorService } from '../../colors/color.service';
import type { CurrentUser } from '../../platform/common/current-user';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { DatabaseService } from '../../platform/database/database.service';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { FormulasService } from '../../formulas/formulas.service';
import { BulkWrites } from '../../formulas/bulk-writes.service';
import type { ReplaceProfileDto } from '../../formulas/profile/profile.fields';
import { ProfilesService } from '../../formulas/profile/profiles.service';
import { CardsService } from '../../ingredients/cards/cards.service';
import { IngredientsService } from '../../ingredients/ingredients.service';
import { OtherNamesService } from '../../ingredients/names/other-names.service';
import { RawMaterialsService } from '../../ingredients/raw-materials/raw-materials.service';
import { RegulationsService } from '../../regulations/editions/regulations.service';
import { ProjectsService } from '../../projects/projects.service';
import type { OpenService } from '../service-context';
import {
  DEMO_USERNAME,
  type DemoContent,
  demoContent,
  type DemoFormula,
  type DemoIngredient,
  type DemoPhase,
} from './demo-content';
import { DemoRepository, type OwnedKind } from './demo.repository';

export interface Loaded {
  created: number;
  /** Existing records. They stay unchanged, whether they were edited or not. */
  unchanged: number;
}

export interface DemoReport {
  user: Loaded;
  ingredients: Loaded;
  projects: Loaded;
  formulas: Loaded;
  colors: Loaded;
  limits: Loaded;
}

/** Loads the demo laboratory. Existing records are never changed, so it can be loaded again at any time. */
export class DemoLaboratory {
  private readonly demo: DemoRepository;
  private takenIds: ReadonlySet<string> = new Set();

  constructor(
    private readonly services: Pick<OpenService, 'get'>,
    private readonly content: DemoContent = demoContent,
  ) {
    this.demo = new DemoRepository(services.get(DatabaseService), services.get(TransactionManager));
  }

  /**
   * Loads everything in one transaction. Ingredients are matched by INCI name, ignoring case (the demo's supplier
   * first); projects, formulas and colours by name among those of the demo user.
   * @param password of the demo user if it is created now; without it nobody can sign in as that user
   */
  load(password?: string): Promise<DemoReport> {
    return this.demo.exclusively(async () => {
      this.takenIds = await this.demo.takenIds(Object.values(this.content.ids));
      const owner = await this.findOrCreateOwner(password);
      const ingredients = await this.loadIngredients(owner.user);
      const projects = await this.loadOwned(
        owner.user,
        'projects',
        this.content.projects,
        async (project) => {
          return (
            await this.services.get(ProjectsService).create(owner.user, project, this.idOf(project.name))
          ).id;
        },
      );
      const formulas = await this.loadOwned(
        owner.user,
        'formulas',
        this.content.formulas,
        async (formula) => {
          return this.createFormula(owner.user, formula, ingredients.ids, projects.ids);
        },
      );
      const colors = await this.loadOwned(owner.user, 'colors', this.content.colors, async (color) => {
        const { formulaName, ...shade } = color;
        const formulaId = formulaName === null ? null : known(formulas.ids, formulaName);
        const id = this.idOf(color.name);
        return (await this.services.get(ColorService).create(owner.user, { ...shade, formulaId }, id)).id;
      });
      return {
        user: owner.loaded,
        ingredients: ingredients.loaded,
        projects: projects.loaded,
        formulas: formulas.loaded,
        colors: colors.loaded,
        limits: await this.loadLimits(),
      };
    });
  }

  private async findOrCreateOwner(
    password: string | undefined,
  ): Promise<{ user: CurrentUser; loaded: Loaded }> {
    const existing = await this.services.get(UsersRepository).findCredentials(DEMO_USERNAME);
    if (existing) {
      const { id, username, role } = existing;
      return { user: { id, username, role }, loaded: count([true]) };
    }
    // A random password that is not shown: the account owns the demo's records, and nobody can sign in to it.
    const secret = password ?? randomBytes(32).toString('base64url');
    const user = await this.services
      .get(AuthService)
      .createUser(DEMO_USERNAME, secret, 'engineer', this.idOf(DEMO_USERNAME));
    return { user, loaded: count([false]) };
  }

  /** Creates the formula, its earlier versions if it has a history, and its profile if it has one. */
  private async createFormula(user: CurrentUser, formula: DemoFormula, ingredientIds: Ids, projectIds: Ids) {
    const formulas = this.services.get(FormulasService);
    const history = this.content.histories.find(({ formulaName }) => formulaName === formula.name);
    const latest = { phases: formula.phases, description: history?.latestDescription };
    const [first = latest, ...later] = [...(history?.versions ?? []), latest];
    const { name, description, projectName } = formula;
    const projectId = known(projectIds, projectName);
    const phases = toRequest(first.phases, ingredientIds);
    const created = { id: this.idOf(name), name, description, projectId, phases };
    const [id] = (await this.services.get(BulkWrites).create(user, [created])) as [string];
    if (id === EXAMPLE_IDS.formula) await this.demo.nameFirstLine(id, EXAMPLE_IDS.line);
    for (const version of later) {
      const phases = toRequest(version.phases, ingredientIds);
      await formulas.revise(user, id, { phases, description: version.description });
    }
    const product = this.content.profiles.find(({ formulaName }) => formulaName === name);
    if (product)
      await this.services.get(ProfilesService).replace(user, id, await this.linked(user, product.profile));
    return id;
  }

  /** The profile with the id of the demo formula that its product is mixed with, which comes before it. */
  private async linked(user: CurrentUser, profile: ReplaceProfileDto): Promise<ReplaceProfileDto> {
    const { mixedWith } = profile;
    if (!mixedWith?.name) return profile;
    const formulaId = (await this.demo.findOwned('formulas', user.id)).get(mixedWith.name);
    return { ...profile, mixedWith: { ...mixedWith, formulaId } };
  }

  private async loadIngredients(user: CurrentUser) {
    const { ingredients } = this.content;
    const found = await this.demo.findIngredients(ingredients);
    const ids = new Map<string, string>();
    for (const [index, ingredient] of ingredients.entries()) {
      const id = found[index] ?? (await this.createIngredient(user, ingredient));
      ids.set(ingredient.inciName, id);
    }
    return { ids, loaded: count(found.map((id) => id !== undefined)) };
  }

  /** Creates the ingredient, with its CAS number, composition and card as far as the demo content has them. */
  private async createIngredient(user: CurrentUser, ingredient: DemoIngredient): Promise<string> {
    const { inciName } = ingredient;
    const ingredients = this.services.get(IngredientsService);
    const { id } = await ingredients.create(user, ingredient, this.idOf(inciName));
    const casNumber = this.content.casNumbers[inciName];
    if (casNumber) await this.services.get(OtherNamesService).replace(user, id, namesOf(casNumber));
    const composition = this.content.compositions.find((raw) => raw.inciName === inciName);
    if (composition) await this.services.get(RawMaterialsService).replace(user, id, composition.substances);
    const known = this.content.cards.find((one) => one.inciName === inciName);
    if (known) await this.services.get(CardsService).replace(user, id, known.card);
    return id;
  }

  /** Imports the table of limits under its name. */
  private async loadLimits(): Promise<Loaded> {
    const { name, limits } = this.content.edition;
    const isThere = await this.demo.hasEdition(name);
    const drafts = limits.map((limit, index) => ({ ...limit, line: index + 1 }));
    if (!isThere) {
      const file = { limits: drafts, refused: [] };
      await this.services.get(RegulationsService).importEdition(name, file, { id: this.idOf(name) });
    }
    return count([isThere]);
  }

  private async loadOwned<T extends { name: string }>(
    user: CurrentUser,
    kind: OwnedKind,
    wanted: readonly T[],
    create: (record: T) => Promise<string>,
  ) {
    const ids = await this.demo.findOwned(kind, user.id);
    const isThere = wanted.map(({ name }) => ids.has(name));
    for (const record of wanted) {
      if (!ids.has(record.name)) ids.set(record.name, await create(record));
    }
    return { ids, loaded: count(isThere) };
  }

  /** The id that the record of this name gets: that of an example, unless another record has it. */
  private idOf(name: string): string | undefined {
    const id = this.content.ids[name];
    return id && this.takenIds.has(id) ? undefined : id;
  }
}

const namesOf = (casNumber: string) => ({
  casNumbers: [casNumber],
  ecNumbers: [],
  synonyms: [],
  tradeNames: [],
});

type Ids = ReadonlyMap<string, string>;

/** Converts phases to a request of the service, with ingredients by id. */
const toRequest = (phases: readonly DemoPhase[], ingredientIds: Ids) =>
  phases.map((phase) => ({
    name: phase.name,
    sortOrder: phase.sortOrder,
    ingredients: phase.ingredients.map(({ inciName, percentage, processNotes }) => ({
      ingredientId: known(ingredientIds, inciName),
      percentage,
      processNotes,
    })),
  }));

function known(ids: Ids, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo content refers to "${name}" but does not define it`);
  return id;
}

function count(isThere: readonly boolean[]): Loaded {
  const unchanged = isThere.filter(Boolean).length;
  return { created: isThere.length - unchanged, unchanged };
}
