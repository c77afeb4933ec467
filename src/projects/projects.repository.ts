import { Injectable } from '@nestjs/common';
import { JsonText } from '../common/json-text';
import { keptCountsByPart } from '../database/counted-pages';
import { Database, type Statement } from '../database/database';
import { JsonRepository } from '../database/json-repository';
import type { ReadAccess } from '../database/read-access';
import { readable } from '../database/readable';
import type { ListedProjectDto, ProjectDto } from './project.dto';
import { ProjectEntity } from './project.entity';
import { ProjectFields } from './project.fields';

@Injectable()
export class ProjectsRepository extends JsonRepository<ProjectEntity, ProjectDto> {
  private readonly listing: Statement;
  /** The same where some formulas may not be read. */
  private readonly countedListing: Statement;

  constructor(database: Database) {
    // A deletion takes the project off its formulas.
    super(database, ProjectEntity, ProjectFields, readable.project, 'formulas/projects');
    const listing = (name: string, formulas: string): Statement => ({
      name,
      text: `SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
               SELECT ${this.shown}, json_build_object('formulas', coalesce(counted.records, 0)) AS "_count"
               FROM projects
               LEFT JOIN (${formulas}) counted ON counted.part = projects.id::text
               WHERE ${this.mayRead}
               ORDER BY projects.created_at DESC, projects.id
             ) shown))::text AS json`,
    });
    this.listing = listing('projects.list', keptCountsByPart('formulas of project'));
    this.countedListing = listing(
      'projects.list.counted',
      `SELECT f.project_id::text AS part, count(*) AS records FROM formulas f
       WHERE f.project_id IS NOT NULL AND ${readable.formula('f')} GROUP BY f.project_id`,
    );
  }

  /** Newest first, each with the number of its formulas that the caller may read. */
  async list(access: ReadAccess): Promise<JsonText<ListedProjectDto[]>> {
    const listing = access.restricts('formula') ? this.countedListing : this.listing;
    const [found] = await this.database.query<{ json: string }>(...access.reading(listing));
    return new JsonText(found!.json);
  }
}
