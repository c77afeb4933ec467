import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import { type Reader, type RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { NotFoundError } from '../platform/common/errors/service-error';
import type { JsonText } from '../platform/common/json-text';
import { SecurityLog } from '../platform/common/security-log';
import { text } from '../platform/texts/text';
import { toInsertValues, toUpdateValues } from '../platform/validation/field-metadata';
import { rejectIfReferenced } from '../platform/database/pg-errors';
import { changedFields, EventPublisher } from '../platform/events/event-publisher';
import { WriteValidators } from '../platform/events/write-validators';
import {
  type CreateProjectDto,
  type ListedProjectDto,
  type ProjectDto,
  ProjectFields,
  type UpdateProjectDto,
} from './project.dto';
import { ProjectsRepository } from './projects.repository';

export const PROJECT_NOT_FOUND = text('project.not-found');

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
  ) {}

  /** Returns JSON text built by the database. Callers inside the process get the objects with `parse()`. */
  async list(reader: Reader): Promise<JsonText<ListedProjectDto[]>> {
    const filter = await this.rowFilters.of(reader);
    return this.projects.list(filter);
  }

  /** @throws NotFoundError if there is no project that the reader may see */
  async get(reader: Reader, id: string): Promise<ProjectDto> {
    const filter = await this.rowFilters.of(reader);
    return (await this.projects.findById(filter, id)) ?? notFound();
  }

  /**
   * @param id an id that no project has; default: a new one
   * @throws ForbiddenError
   */
  async create(user: CurrentUser, input: CreateProjectDto, id?: string): Promise<ProjectDto> {
    await requireAllowed(this.policy.canCreate(user, 'project'));
    await this.validators.require('project.created', input);
    const values = { ...toInsertValues(ProjectFields, input), createdBy: user.id };
    return this.events.transaction(async () => {
      const project = await this.projects.create(values, id);
      await this.events.publish('project.created', project.id, { name: project.name });
      return project;
    });
  }

  /** @throws NotFoundError, ForbiddenError */
  async update(user: CurrentUser, id: string, input: UpdateProjectDto): Promise<ProjectDto> {
    const filter = await this.assertCanChange(user, id);
    await this.validators.require('project.updated', input, id);
    const changes = toUpdateValues(ProjectFields, input);
    const updated = await this.events.transaction(async () => {
      const project = await this.projects.update(filter, id, changes);
      if (project) await this.events.publish('project.updated', id, { changed: changedFields(changes) });
      return project;
    });
    return updated ?? notFound();
  }

  /** @throws NotFoundError, ForbiddenError; ConflictError if a row of an extension refers to it */
  async delete(user: CurrentUser, id: string): Promise<void> {
    await this.assertCanChange(user, id);
    const isDeleted = await this.events.transaction(async () => {
      const deleted = await rejectIfReferenced(this.projects.delete(id));
      if (deleted) await this.events.publish('project.deleted', id, {});
      return deleted;
    });
    if (!isDeleted) notFound();
    this.security.record('record.deleted', { kind: 'project', id });
  }

  /** Returns the user's row filter, after checking that the user may read and change the project. */
  private async assertCanChange(user: CurrentUser, id: string): Promise<RowFilter> {
    const filter = await this.rowFilters.of(user);
    const { createdBy } = await this.get(filter, id);
    await requireAllowed(this.policy.canChange(user, { kind: 'project', id, createdBy }));
    return filter;
  }
}

function notFound(): never {
  throw new NotFoundError(PROJECT_NOT_FOUND);
}
