import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import {
  AI_PROVIDER,
  ApiDeleted,
  apiDocument,
  ApiErrors,
  ApiRecord,
  AppModule,
  EnumField,
  IdField,
  ListField,
  PathId,
  Public,
  record,
  ResponseType,
  TextField,
} from '../../src/index';
import { bootApp, type TestApp } from '../support/app';

/** Called as one of the service's own, and something else. */
class PhaseDto {
  @TextField({ max: 10, example: 'week 1' })
  week!: string;
}

class CreateFormulaDto {
  @ListField({ type: () => PhaseDto, maxItems: 5 })
  phases!: PhaseDto[];

  @EnumField({ values: ['warm', 'cold'], enumName: 'FunctionCategory', example: 'warm' })
  climate!: string;
}

class StudyFields extends CreateFormulaDto {
  @IdField()
  id!: string;
}

class StudyDto extends ResponseType(StudyFields) {}

@Controller('ext/stability/studies')
class FormulasController {
  @Post()
  @ApiRecord(StudyDto, 201)
  @ApiErrors({ 409: '研究已存在' })
  create(@Body() study: CreateFormulaDto) {
    return record(study);
  }

  @Get(':id')
  @ApiRecord(StudyDto)
  list(@Param('id', PathId) id: string) {
    return record({ id });
  }
}

@ApiTags('instruments')
@Controller('ext/instruments')
class InstrumentsController {
  @Public()
  @Get()
  @ApiDeleted()
  ping() {}
}

const GAMMA = {
  name: 'gamma',
  defaultModel: 'gamma-1',
  capabilities: { remote: true, streaming: false },
  serves: () => false,
  isConfigured: () => Promise.resolve(false),
  complete: () => Promise.reject(new Error('not asked')),
};

@Module({
  controllers: [FormulasController, InstrumentsController],
  providers: [{ provide: AI_PROVIDER, useValue: GAMMA }],
})
class StabilityModule {}

describe('The OpenAPI document with an extension', () => {
  let plain: OpenAPIObject;
  let app: TestApp;
  let document: OpenAPIObject;

  beforeAll(async () => {
    const without = await bootApp();
    plain = apiDocument(without.app);
    await without.close();
    app = await bootApp({
      module: { imports: [StabilityModule, AppModule.register({ extensions: [StabilityModule] })] },
    });
    document = apiDocument(app.app);
  });
  afterAll(() => app.close());

  const operation = (method: 'get' | 'post' | 'put', path: string) => document.paths[path]![method] as any;
  const schema = (name: string) => document.components!.schemas![name] as any;

  it('is served, and valid', async () => {
    const { body, text } = await app.http.get('/api/docs-json').expect(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'no-unused-components': 'off', 'operation-summary': 'off', 'operation-4xx-response': 'off' },
    });
    const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' });
    expect(problems.map(({ ruleId, message }) => `${ruleId} ${message}`)).toEqual([]);
  });

  it('has its routes, tagged by its module or as they say, with what holds for every route', () => {
    const create = operation('post', '/api/ext/stability/studies');
    expect(create.tags).toEqual(['stability']);
    expect(create.security).toEqual([{ bearer: [] }]);
    expect(Object.keys(create.responses)).toEqual([
      '201',
      '400',
      '401',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(operation('get', '/api/ext/instruments')).toMatchObject({ tags: ['instruments'], security: [] });
    expect(operation('get', '/api/ext/stability/studies/{id}').parameters[0].schema.format).toBe('uuid');
  });

  it('keeps its classes and operations apart from ours of the same name', () => {
    const create = operation('post', '/api/ext/stability/studies');
    const sent = create.requestBody.content['application/json'].schema.$ref;
    expect(sent).toBe('#/components/schemas/stability_CreateFormulaDto');
    expect(schema('stability_CreateFormulaDto').properties.phases.items.$ref).toBe(
      '#/components/schemas/stability_PhaseDto',
    );
    expect(Object.keys(schema('stability_PhaseDto').properties)).toEqual(['week']);
    expect(
      schema('StudyDto').properties.climate.$ref ?? schema('StudyDto').properties.climate.allOf[0].$ref,
    ).toBe('#/components/schemas/stability_FunctionCategory');
    expect(create.operationId).toBe('stability_formulas_create');
  });

  it('says of the rest what it says without, but for the fields that a provider adds', () => {
    const { UpdateConfigurationDto, TestConfigurationDto, ...schemas } = plain.components!.schemas as any;
    expect(document.components!.schemas).toMatchObject(schemas);
    for (const [path, item] of Object.entries(plain.paths)) expect(document.paths[path]).toEqual(item);
    const added = schema('UpdateConfigurationDto');
    expect(added.properties).toMatchObject(UpdateConfigurationDto.properties);
    expect(Object.keys(added.properties)).toEqual(
      expect.arrayContaining([...Object.keys(UpdateConfigurationDto.properties), 'gammaKey', 'gammaBaseUrl']),
    );
    expect(schema('TestConfigurationDto').properties.provider.enum).toEqual([
      ...TestConfigurationDto.properties.provider.enum,
      'gamma',
    ]);
    expect(document.components!.schemas).not.toHaveProperty('UpdateConfigurationOfProvidersDto');
    expect(operation('get', '/api/ext/ai/providers').tags).toEqual(['config']);
    expect(plain.paths).not.toHaveProperty('/api/ext/ai/providers');
  });
});
