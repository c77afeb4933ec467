import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../common/access/access-policy';
import type { CurrentUser } from '../common/access/current-user';
import { ForbiddenError, NotFoundError } from '../common/errors/service-error';
import type { JsonText } from '../common/json-text';
import { SecurityLog } from '../common/security-log';
import { text } from '../common/texts/text';
import { changesOf, withDefaults } from '../common/validation/field-values';
import type { CreateProjectDto, ListedProjectDto, ProjectDto, UpdateProjectDto } from './project.dto';
import { ProjectFields } from './project.fields';
import { ProjectsRepository } from './projects.repository';

export const PROJECT_NOT_FOUND = text('project.not-found');

/** Projects are JSON text written by the database; `parse()` gives callers inside the process the object. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly policy: AccessPolicy,
    private readonly security: SecurityLog,
  ) {}

  list(): Promise<JsonText<ListedProjectDto[]>> {
    return this.projects.list();
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<JsonText<ProjectDto>> {
    return (await this.projects.findById(id)) ?? notFound();
  }

  create(user: CurrentUser, input: CreateProjectDto): Promise<JsonText<ProjectDto>> {
    return this.projects.create({ ...withDefaults(ProjectFields, input), createdBy: user.id });
  }

  /** @throws NotFoundError, ForbiddenError */
  async update(user: CurrentUser, id: string, input: UpdateProjectDto): Promise<JsonText<ProjectDto>> {
    await this.requireChangeable(user, id);
    return (await this.projects.update(id, changesOf(ProjectFields, input))) ?? notFound();
  }

  /** @throws NotFoundError, ForbiddenError */
  async delete(user: CurrentUser, id: string): Promise<void> {
    await this.requireChangeable(user, id);
    if (!(await this.projects.delete(id))) notFound();
    this.security.record('record.deleted', { kind: 'project', id });
  }

  private async requireChangeable(user: CurrentUser, id: string): Promise<void> {
    const { createdBy } = (await this.get(id)).parse();
    if (!(await this.policy.canChange(user, { kind: 'project', id, createdBy }))) throw new ForbiddenError();
  }
}

function notFound(): never {
  throw new NotFoundError(PROJECT_NOT_FOUND);
}
