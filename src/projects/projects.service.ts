import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../common/access/access-policy';
import { requireAllowed } from '../common/access/require-allowed';
import type { CurrentUser } from '../common/access/current-user';
import { NotFoundError } from '../common/errors/service-error';
import type { JsonText } from '../common/json-text';
import { SecurityLog } from '../common/security-log';
import { text } from '../common/texts/text';
import { changesOf, withDefaults } from '../common/validation/field-values';
import type { ReadAccess, Reader } from '../database/read-access';
import { Readers } from '../database/readers';
import { unlessReferenced } from '../database/unless-referenced';
import { changedRecord } from '../events/changed-record';
import { EventPublisher } from '../events/event-publisher';
import { WriteValidators } from '../events/write-validators';
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
    private readonly readers: Readers,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
  ) {}

  list(reader: Reader): Promise<JsonText<ListedProjectDto[]>> {
    return this.readers.reading(reader, (access) => this.projects.list(access));
  }

  /** @throws NotFoundError where there is none that the reader may see */
  get(reader: Reader, id: string): Promise<JsonText<ProjectDto>> {
    return this.readers.reading(
      reader,
      async (access) => (await this.projects.findById(access, id)) ?? notFound(),
    );
  }

  /** @throws ForbiddenError */
  async create(user: CurrentUser, input: CreateProjectDto): Promise<JsonText<ProjectDto>> {
    await requireAllowed(this.policy.canCreate(user, 'project'));
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
    const access = await this.changeable(user, id);
    await this.validators.require('project.updated', input, id);
    const changes = changesOf(ProjectFields, input);
    const updated = await this.events.publishing(
      'project.updated',
      () => this.projects.update(access, id, changes),
      (after) => changedRecord(id, changes, after !== undefined),
    );
    return updated ?? notFound();
  }

  /** @throws NotFoundError, ForbiddenError; ConflictError while a row of an extension refers to it */
  async delete(user: CurrentUser, id: string): Promise<void> {
    const access = await this.changeable(user, id);
    const isDeleted = await this.events.publishing(
      'project.deleted',
      () => unlessReferenced(() => this.projects.delete(access, id)),
      (deleted) => (deleted ? [{ recordId: id, data: {} }] : []),
    );
    if (!isDeleted) notFound();
    this.security.record('record.deleted', { kind: 'project', id });
  }

  /** What the user may read, where that project is in it and may be changed. */
  private async changeable(user: CurrentUser, id: string): Promise<ReadAccess> {
    const access = await this.readers.of(user);
    const { createdBy } = (await this.get(access, id)).parse();
    await requireAllowed(this.policy.canChange(user, { kind: 'project', id, createdBy }));
    return access;
  }
}

function notFound(): never {
  throw new NotFoundError(PROJECT_NOT_FOUND);
}
