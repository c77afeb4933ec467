import { Injectable } from '@nestjs/common';
import {
  AccessPolicy,
  ConflictError,
  type CurrentUser,
  DatabaseService,
  FormulasService,
  NotFoundError,
  offsetOf,
  ownText,
  type PageQuery,
  requireAllowed,
  RowFilterService,
  type Slice,
  type Statement,
} from 'formula-development-service';
import { TeamsService } from '../teams/teams.service';
import type { StabilityTestDto, StartTestDto } from './stability-test.dto';

// #region texts
export const NO_SUCH_TEST = ownText('stability.not-found', 'No such stability test');
export const NO_TEAM = ownText('stability.no-team', 'Only members of a team start tests');
export const HAS_RESULT = ownText('stability.has-result', 'The test has a result already');
// #endregion

/** What is shown of test `t`; formula `f` is absent where the user may not see it. */
const SHOWN =
  't.id, t.formula_id AS "formulaId", f.name AS formula, t.climate, t.state, t.due_on::text AS "dueOn"';

const START: Statement = {
  name: 'ext-stability.start',
  text: `
    INSERT INTO ext_stability_tests (formula_id, team_id, climate, due_on) VALUES ($1, $2, $3, current_date + $4::int)
    RETURNING id`,
};

const FINISH: Statement = {
  name: 'ext-stability.finish',
  text: `UPDATE ext_stability_tests SET state = $2 WHERE id = $1 AND state IN ('running', 'overdue') RETURNING id`,
};

@Injectable()
export class StabilityService {
  constructor(
    private readonly database: DatabaseService,
    private readonly rowFilters: RowFilterService,
    private readonly formulas: FormulasService,
    private readonly teams: TeamsService,
    private readonly policy: AccessPolicy,
  ) {}

  // #region reading
  /** @throws NotFoundError where there is none that the user may see */
  async get(user: CurrentUser, id: string): Promise<StabilityTestDto> {
    const filter = await this.rowFilters.of(user);
    const [test] = await this.database.query<StabilityTestDto>(
      ...filter.statement(
        'ext-stability.read',
        [id],
        (readable) => `
          SELECT ${SHOWN} FROM ext_stability_tests t
            LEFT JOIN formulas f ON f.id = t.formula_id AND ${readable('formula', 'f')}
          WHERE t.id = $1 AND ${readable('stability-test', 't')}`,
      ),
    );
    if (!test) throw new NotFoundError(NO_SUCH_TEST);
    return test;
  }
  // #endregion

  async list(user: CurrentUser, query: PageQuery): Promise<Slice<StabilityTestDto>> {
    const filter = await this.rowFilters.of(user);
    const [rows, [count]] = await Promise.all([
      this.database.query<StabilityTestDto>(
        ...filter.statement(
          'ext-stability.list',
          [query.limit, offsetOf(query)],
          (readable) => `
            SELECT ${SHOWN} FROM ext_stability_tests t
              LEFT JOIN formulas f ON f.id = t.formula_id AND ${readable('formula', 'f')}
            WHERE ${readable('stability-test', 't')} ORDER BY t.due_on, t.id LIMIT $1 OFFSET $2`,
        ),
      ),
      this.database.query<{ total: number }>(
        ...filter.statement(
          'ext-stability.count',
          [],
          (readable) =>
            `SELECT count(*) AS total FROM ext_stability_tests t WHERE ${readable('stability-test', 't')}`,
        ),
      ),
    ]);
    return { rows, total: count!.total };
  }

  // #region starting
  /** @throws ForbiddenError; NotFoundError where there is no formula that the user may see */
  async start(user: CurrentUser, { formulaId, climate, days }: StartTestDto): Promise<StabilityTestDto> {
    await requireAllowed(this.policy.canCreate(user, 'stability-test'));
    await this.formulas.get(user, formulaId);
    const team = await this.teams.teamOf(user.id);
    if (!team) throw new ConflictError(NO_TEAM);
    const [test] = await this.database.query<{ id: string }>(START, [formulaId, team.id, climate, days]);
    return this.get(user, test!.id);
  }
  // #endregion

  async finish(user: CurrentUser, id: string, result: string): Promise<StabilityTestDto> {
    await this.get(user, id);
    const [finished] = await this.database.query(FINISH, [id, result]);
    if (!finished) throw new ConflictError(HAS_RESULT);
    return this.get(user, id);
  }
}
