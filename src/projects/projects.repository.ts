import { Injectable } from '@nestjs/common';
import { JsonText } from '../common/json-text';
import { keptCountsByPart } from '../database/counted-pages';
import { Database, type Statement } from '../database/database';
import { JsonRepository } from '../database/json-repository';
import { readable } from '../database/readable';
import type { ListedProjectDto, ProjectDto } from './project.dto';
import { ProjectEntity } from './project.entity';
import { ProjectFields } from './project.fields';

@Injectable()
export class ProjectsRepository extends JsonRepository<ProjectEntity, ProjectDto> {
  private readonly listing: Statement;

  constructor(database: Database) {
    // A deletion takes the project off its formulas.
    super(database, ProjectEntity, ProjectFields, readable.project, 'formulas/projects');
    this.listing = {
      name: 'projects.list',
      text: `SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
               SELECT ${this.shown}, json_build_object('formulas', coalesce(counted.records, 0)) AS "_count"
               FROM projects
               LEFT JOIN (${keptCountsByPart('formulas of project')}) counted ON counted.part = projects.id::text
               WHERE ${this.mayRead}
               ORDER BY projects.created_at DESC, projects.id
             ) shown))::text AS json`,
    };
  }

  /** Newest first, each with the number of its formulas. */
  async list(): Promise<JsonText<ListedProjectDto[]>> {
    const [found] = await this.database.query<{ json: string }>(this.listing);
    return new JsonText(found!.json);
  }
}
