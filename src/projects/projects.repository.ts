import { Injectable } from '@nestjs/common';
import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { type Readable, RowFilter } from '../platform/access/row-filter';
import { JsonText } from '../platform/common/json-text';
import { DatabaseService } from '../platform/database/database.service';
import { toRecord } from '../platform/database/entity-table';
import { type ListedProjectDto, type ProjectDto, ProjectFields } from './project.dto';
import { ProjectEntity } from './project.entity';

/** Columns of a project that users set. */
type ProjectValues = Partial<Pick<ProjectEntity, 'name' | 'description' | 'createdBy'>>;

const SHOWN = `p.id, p.name, p.description, p.created_by AS "createdBy", iso_time(p.created_at) AS "createdAt"`;

@Injectable()
export class ProjectsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns all projects, newest first, each with the number of its formulas that the user may read. */
  async list(filter: RowFilter): Promise<JsonText<ListedProjectDto[]>> {
    const counts = (readable: Readable) =>
      filter.restricts('formula')
        ? `SELECT f.project_id::text AS part, count(*) AS formulas FROM formulas f
           WHERE f.project_id IS NOT NULL AND ${readable('formula', 'f')} GROUP BY f.project_id`
        : `SELECT part, sum(delta)::bigint AS formulas FROM record_counts
           WHERE list = 'formulas of project' GROUP BY part`;
    const [found] = await this.database.query<{ json: string }>(
      ...filter.statement(
        'projects.list',
        [],
        (readable) => `
          SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
            SELECT ${SHOWN}, json_build_object('formulas', coalesce(counted.formulas, 0)) AS "_count"
            FROM projects p LEFT JOIN (${counts(readable)}) counted ON counted.part = p.id::text
            WHERE ${readable('project', 'p')}
            ORDER BY p.created_at DESC, p.id) shown))::text AS json`,
      ),
    );
    return new JsonText(found!.json);
  }

  findById(filter: RowFilter, id: string): Promise<ProjectDto | undefined> {
    const [statement, [, ...values]] = filter.statement(
      'projects.by-id',
      [id],
      (readable) =>
        `SELECT ${SHOWN} FROM projects p WHERE p.id = ANY ($1::uuid[]) AND ${readable('project', 'p')}`,
    );
    return this.database.findById<ProjectDto>(statement, id, values);
  }

  create(values: ProjectValues, id?: string): Promise<ProjectDto> {
    return this.database.orm(async (manager) => {
      const project = manager.create(ProjectEntity, { ...values, id });
      await manager.insert(ProjectEntity, project as QueryDeepPartialEntity<ProjectEntity>);
      return toRecord<ProjectDto>(ProjectFields, project);
    });
  }

  /**
   * Changes the given columns; returns undefined if there is no such project. The user gets the result even if the
   * change hides the project.
   */
  async update(filter: RowFilter, id: string, changes: ProjectValues): Promise<ProjectDto | undefined> {
    if (Object.keys(changes).length === 0) return this.findById(filter, id);
    const update = (manager: EntityManager) => manager.update(ProjectEntity, { id }, changes);
    const { affected } = await this.database.orm(update);
    return affected === 0 ? undefined : this.findById(RowFilter.EVERYTHING, id);
  }

  /**
   * Returns false if there is no such project.
   * @throws ConstraintViolation of a foreign key that refers to it
   */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.database.orm((manager) => manager.delete(ProjectEntity, { id }));
    return affected === 1;
  }
}
