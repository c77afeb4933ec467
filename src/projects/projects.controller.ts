import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SignedInRequest } from '../platform/http/route-decorators';
import { AnswersJsonText, recordText } from '../platform/http/envelope';
import { PathId } from '../platform/http/path-id';
import { ApiDeleted, ApiErrors, ApiList, ApiRecord } from '../platform/openapi/responses';
import { faultOf, text } from '../platform/texts/text';
import { UseLane } from '../platform/request-limits/concurrency.guard';
import { CreateProjectDto, ListedProjectDto, ProjectDto, UpdateProjectDto } from './project.dto';
import { PROJECT_NOT_FOUND, ProjectsService } from './projects.service';

const INVALID = faultOf('name', text('field.required'));
const FORBIDDEN = text('access.denied');

@ApiTags('projects')
@Controller('projects')
@UseLane('short')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  // The statement counts formulas.
  @Get()
  @UseLane('formulas')
  @AnswersJsonText()
  @ApiOperation({ summary: 'All projects, newest first, with the number of their formulas' })
  @ApiList(ListedProjectDto)
  async list(@Req() { user }: SignedInRequest) {
    return recordText(await this.projects.list(user));
  }

  @Get(':id')
  @AnswersJsonText()
  @ApiOperation({ summary: 'One project' })
  @ApiRecord(ProjectDto)
  @ApiErrors({ 404: PROJECT_NOT_FOUND })
  async get(@Req() { user }: SignedInRequest, @Param('id', PathId) id: string) {
    return recordText(await this.projects.get(user, id));
  }

  @Post()
  @AnswersJsonText()
  @ApiOperation({ summary: 'Create a project' })
  @ApiRecord(ProjectDto, 201)
  @ApiErrors({ 400: INVALID })
  async create(@Req() { user }: SignedInRequest, @Body() input: CreateProjectDto) {
    return recordText(await this.projects.create(user, input));
  }

  @Put(':id')
  @AnswersJsonText()
  @ApiOperation({ summary: 'Change fields of a project (its creator or an admin)' })
  @ApiRecord(ProjectDto)
  @ApiErrors({ 400: INVALID, 403: FORBIDDEN, 404: PROJECT_NOT_FOUND })
  async update(
    @Req() { user }: SignedInRequest,
    @Param('id', PathId) id: string,
    @Body() input: UpdateProjectDto,
  ) {
    return recordText(await this.projects.update(user, id, input));
  }

  // Deleting a project also updates its formulas.
  @Delete(':id')
  @UseLane('formulas')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a project (its creator or an admin); its formulas stay, without a project',
  })
  @ApiDeleted()
  @ApiErrors({ 403: FORBIDDEN, 404: PROJECT_NOT_FOUND })
  async delete(@Req() { user }: SignedInRequest, @Param('id', PathId) id: string): Promise<void> {
    await this.projects.delete(user, id);
  }
}
