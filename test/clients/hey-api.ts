import { client } from './generated/client.gen';
import * as api from './generated/sdk.gen';
import type { CreateIngredientDto, FormulaDto, PredictionDto } from './generated/types.gen';
import { optionsOf, predictionOf } from './messages';
import { type Client, run } from './work';

/** Refused requests throw, unless a method reads their answer. */
const throwOnError = true;

function clientOf(baseUrl: string): Client {
  client.setConfig({ baseUrl });

  return {
    async register(body) {
      await api.authRegister({ throwOnError, body });
    },
    async signIn(body) {
      const session = await api.authLogin({ throwOnError, body });
      client.setConfig({ auth: session.data.data.token });
    },
    async createIngredient(body) {
      await api.ingredientsCreate({ throwOnError, body });
    },
    async resolve(names) {
      return (await api.resolveResolve({ throwOnError, body: { names } })).data.data;
    },
    async extract(text) {
      return (await api.aiExtract({ throwOnError, body: { text } })).data.data;
    },
    async createFormula(body) {
      return (await api.formulasCreate({ throwOnError, body })).data.data;
    },
    async revise(id, phases) {
      return (await api.formulasRevise({ throwOnError, path: { id }, body: { phases } })).data.data;
    },
    async listFormulas(query) {
      return (await api.formulaListList({ throwOnError, query })).data;
    },
    async cost(id, batch) {
      return (await api.analysisCost({ throwOnError, path: { id }, query: { batch } })).data.data;
    },
    async declare(id, region) {
      return (await api.declarationDeclare({ throwOnError, path: { id }, query: { region } })).data.data;
    },
    async listUsage(id, versions) {
      return (await api.ingredientListListUsage({ throwOnError, path: { id }, query: { versions } })).data
        .data;
    },
    async createColor(body) {
      await api.colorCreate({ throwOnError, body });
    },
    async matchColor(lab) {
      return (await api.matchesMatch({ throwOnError, query: { ...lab, unique: 'true' } })).data.data;
    },
    async predict(line) {
      const { stream } = await api.aiPredict({ body: { ingredients: [line] } });
      return predictionOf<PredictionDto>(stream);
    },
    async explore(costLimit, base) {
      const { stream } = await api.aiExplore({ body: { costLimit, baseIngredients: [base] } });
      return optionsOf(stream);
    },
    async deleteIngredient(id) {
      const { error } = await api.ingredientsDelete({ path: { id } });
      return error && 'usageCount' in error ? error : undefined;
    },
    async deleteFormula(id) {
      await api.formulasDelete({ throwOnError, path: { id } });
    },
    async readFormula(id) {
      return (await api.formulasGet({ path: { id }, headers: { 'X-Language': 'en' } })).error;
    },
  };
}

// The types of the generated client refuse what the service refuses, and what it does not have.
// @ts-expect-error -- no such category
export const category: CreateIngredientDto['functionCategory'] = 'magic';
// @ts-expect-error -- no such field
export const embedding = (formula: FormulaDto) => formula.embedding;
// @ts-expect-error -- a description may be null
export const description = (formula: FormulaDto): string => formula.description;

run(clientOf);
