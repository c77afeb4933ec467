import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { ProjectEntity } from './project.entity';

export interface ProjectRecord {
  id: string;
  name: string;
  description: string | null;
  createdBy: string;
  createdAt: Date;
}

export interface ListedProject extends ProjectRecord {
  _count: { formulas: number };
}

const COLUMNS = 'id, name, description, created_by AS "createdBy", created_at AS "createdAt"';

// The count is a statement on the formulas' table, not an import of the floor above.
const LIST = {
  name: 'projects.list',
  text: `SELECT ${COLUMNS}, json_build_object('formulas', coalesce(counted.formulas, 0)) AS "_count"
         FROM projects
         LEFT JOIN (SELECT project_id, count(*) AS formulas FROM formulas GROUP BY project_id) counted
           ON counted.project_id = projects.id
         ORDER BY created_at DESC, id`,
};

const BY_ID = { name: 'projects.by-id', text: `SELECT ${COLUMNS} FROM projects WHERE id = $1` };

@Injectable()
export class ProjectsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, each with the number of its formulas. */
  list(): Promise<ListedProject[]> {
    return this.database.query<ListedProject>(LIST);
  }

  async findById(id: string): Promise<ProjectRecord | undefined> {
    const [project] = await this.database.query<ProjectRecord>(BY_ID, [id]);
    return project;
  }

  create(project: Pick<ProjectRecord, 'name' | 'description' | 'createdBy'>): Promise<ProjectRecord> {
    return this.database.orm((manager) =>
      manager.save(manager.create(ProjectEntity, project), { transaction: false }),
    );
  }

  /** Changes the given columns; nothing when there is no such project. */
  async update(id: string, changes: Partial<Pick<ProjectRecord, 'name' | 'description'>>) {
    if (Object.keys(changes).length > 0) {
      await this.database.orm((manager) => manager.update(ProjectEntity, { id }, changes));
    }
    return this.findById(id);
  }

  /** False when there is no such project. Its formulas stay, without a project (the foreign key sees to it). */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.database.orm((manager) => manager.delete(ProjectEntity, { id }));
    return affected === 1;
  }
}
