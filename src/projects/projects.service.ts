import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../common/access/access-policy';
import type { CurrentUser } from '../common/access/current-user';
import { ForbiddenError, NotFoundError } from '../common/errors/service-error';
import { given } from '../common/given';
import type { ListedProjectDto, ProjectDto } from './dto/project.dto';
import type { CreateProjectDto, UpdateProjectDto } from './dto/project-requests.dto';
import { ProjectsRepository } from './projects.repository';

export const PROJECT_NOT_FOUND = '项目不存在';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly policy: AccessPolicy,
  ) {}

  list(): Promise<ListedProjectDto[]> {
    return this.projects.list();
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<ProjectDto> {
    return (await this.projects.findById(id)) ?? notFound();
  }

  create(user: CurrentUser, { name, description }: CreateProjectDto): Promise<ProjectDto> {
    return this.projects.create({ name, description: description ?? null, createdBy: user.id });
  }

  /** @throws NotFoundError, ForbiddenError */
  async update(user: CurrentUser, id: string, input: UpdateProjectDto): Promise<ProjectDto> {
    await this.requireChangeable(user, id);
    return (await this.projects.update(id, given(input))) ?? notFound();
  }

  /** @throws NotFoundError, ForbiddenError */
  async delete(user: CurrentUser, id: string): Promise<void> {
    await this.requireChangeable(user, id);
    if (!(await this.projects.delete(id))) notFound();
  }

  private async requireChangeable(user: CurrentUser, id: string): Promise<void> {
    const { createdBy } = await this.get(id);
    if (!(await this.policy.canChange(user, { kind: 'project', id, createdBy }))) throw new ForbiddenError();
  }
}

function notFound(): never {
  throw new NotFoundError(PROJECT_NOT_FOUND);
}
