import createClient from 'openapi-fetch';
import type { components, paths } from './generated/api';
import { messagesOf, optionsOf, predictionOf } from './messages';
import { type Client, type Refusal, refusedError, run } from './work';

type Schemas = components['schemas'];
type Message<Path extends '/api/ai/predict-formula' | '/api/ai/explore-formula'> =
  paths[Path]['post']['responses'][200]['content']['text/event-stream'];

/** Returns the answer to a request, and throws if the service refused it. */
function dataOf<Data>({ data, error }: { data?: Data; error?: Refusal }): Data {
  if (error) throw refusedError(error);
  return data as Data;
}

function clientOf(baseUrl: string): Client {
  // Some routes also answer with pages and files; this client reads JSON.
  const api = createClient<paths, 'application/json'>({ baseUrl });
  const streams = createClient<paths, 'text/event-stream'>({ baseUrl });

  return {
    async register(body) {
      dataOf(await api.POST('/api/auth/register', { body }));
    },
    async signIn(body) {
      const { token } = dataOf(await api.POST('/api/auth/login', { body })).data;
      for (const client of [api, streams]) {
        client.use({ onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${token}`) });
      }
    },
    async createIngredient(body) {
      dataOf(await api.POST('/api/ingredients', { body }));
    },
    async resolve(names) {
      return dataOf(await api.POST('/api/ext/ingredients/resolve', { body: { names } })).data;
    },
    async extract(text) {
      return dataOf(await api.POST('/api/ai/extract-formula', { body: { text } })).data;
    },
    async createFormula(body) {
      return dataOf(await api.POST('/api/formulas', { body })).data;
    },
    async revise(id, phases) {
      const params = { path: { id } };
      return dataOf(await api.PUT('/api/formulas/{id}/composition', { params, body: { phases } })).data;
    },
    async listFormulas(query) {
      return dataOf(await api.GET('/api/ext/formulas', { params: { query } }));
    },
    async cost(id, batch) {
      const params = { path: { id }, query: { batch } };
      return dataOf(await api.GET('/api/ext/formulas/{id}/cost', { params })).data;
    },
    async declare(id, region) {
      const params = { path: { id }, query: { region } };
      return dataOf(await api.GET('/api/ext/formulas/{id}/declaration', { params })).data;
    },
    async listUsage(id, versions) {
      const params = { path: { id }, query: { versions } };
      return dataOf(await api.GET('/api/ext/ingredients/{id}/formulas', { params })).data;
    },
    async createColor(body) {
      dataOf(await api.POST('/api/color/formulas', { body }));
    },
    async matchColor(lab) {
      return dataOf(await api.GET('/api/ext/color/match', { params: { query: { ...lab, unique: 'true' } } }))
        .data;
    },
    async predict(line) {
      const body = { ingredients: [line] };
      const { data } = await streams.POST('/api/ai/predict-formula', { body, parseAs: 'stream' });
      return predictionOf<Schemas['PredictionDto']>(messagesOf<Message<'/api/ai/predict-formula'>>(data));
    },
    async explore(costLimit, base) {
      const body = { costLimit, baseIngredients: [base] };
      const { data } = await streams.POST('/api/ai/explore-formula', { body, parseAs: 'stream' });
      return optionsOf(messagesOf<Message<'/api/ai/explore-formula'>>(data));
    },
    async deleteIngredient(id) {
      const { error } = await api.DELETE('/api/ingredients/{id}', { params: { path: { id } } });
      return error && 'usageCount' in error ? error : undefined;
    },
    async deleteFormula(id) {
      dataOf(await api.DELETE('/api/formulas/{id}', { params: { path: { id } } }));
    },
    async readFormula(id) {
      const params = { path: { id } };
      const { error } = await api.GET('/api/formulas/{id}', { params, headers: { 'X-Language': 'en' } });
      return error;
    },
  };
}

// The types of the generated client refuse what the service refuses, and what it does not have.
// @ts-expect-error -- no such category
export const category: Schemas['CreateIngredientDto']['functionCategory'] = 'magic';
// @ts-expect-error -- no such field
export const embedding = (formula: Schemas['FormulaDto']) => formula.embedding;
// @ts-expect-error -- a description may be null
export const description = (formula: Schemas['FormulaDto']): string => formula.description;

run(clientOf);
