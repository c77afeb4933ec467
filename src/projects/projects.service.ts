import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../common/access/access-policy';
import type { CurrentUser } from '../common/access/current-user';
import { ForbiddenError, NotFoundError } from '../common/errors/service-error';
import type { JsonText } from '../common/json-text';
import { SecurityLog } from '../common/security-log';
import { changesOf, withDefaults } from '../common/validation/field-values';
import { changedRecord } from '../events/changed-record';
import { EventPublisher } from '../events/event-publisher';
import { WriteValidators } from '../events/write-validators';
import type { CreateProjectDto, ListedProjectDto, ProjectDto, UpdateProjectDto } from './project.dto';
import { ProjectFields } from './project.fields';
import { ProjectsRepository } from './projects.repository';

export const PROJECT_NOT_FOUND = '项目不存在';

/** Projects are JSON text written by the database; `parse()` gives callers inside the process the object. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly policy: AccessPolicy,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
  ) {}

  list(): Promise<JsonText<ListedProjectDto[]>> {
    return this.projects.list();
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<JsonText<ProjectDto>> {
    return (await this.projects.findById(id)) ?? notFound();
  }

  async create(user: CurrentUser, input: CreateProjectDto): Promise<JsonText<ProjectDto>> {
    await this.validators.require('project.created', input);
    return this.events.publishing(
      'project.created',
      () => this.projects.create({ ...withDefaults(ProjectFields, input), createdBy: user.id }),
      (created) => {
        const { id, name } = created.parse();
        return [{ recordId: id, data: { name } }];
      },
    );
  }

  /** @throws NotFoundError, ForbiddenError */
  async update(user: CurrentUser, id: string, input: UpdateProjectDto): Promise<JsonText<ProjectDto>> {
    await this.requireChangeable(user, id);
    await this.validators.require('project.updated', input, id);
    const changes = changesOf(ProjectFields, input);
    const updated = await this.events.publishing(
      'project.updated',
      () => this.projects.update(id, changes),
      (after) => changedRecord(id, changes, after !== undefined),
    );
    return updated ?? notFound();
  }

  /** @throws NotFoundError, ForbiddenError */
  async delete(user: CurrentUser, id: string): Promise<void> {
    await this.requireChangeable(user, id);
    const isDeleted = await this.events.publishing(
      'project.deleted',
      () => this.projects.delete(id),
      (deleted) => (deleted ? [{ recordId: id, data: {} }] : []),
    );
    if (!isDeleted) notFound();
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
