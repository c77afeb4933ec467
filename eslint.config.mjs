import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * NestJS 12 has other files, and does not offer them: only what a package's own name gives is its interface.
 */
const NEST_INTERNALS = {
  regex: '^@nestjs/[^/]+/',
  message: "Import from the package's own name: its files differ between the major versions.",
};

export default tseslint.config(
  { ignores: ['**/dist/', 'coverage/', '**/node_modules/', 'data/'] },
  js.configs.recommended,
  {
    // Prettier minds the code; comments are minded here.
    rules: { 'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true }] },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-imports': ['error', { patterns: [NEST_INTERNALS] }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are parsed once, in src/platform/config.' },
      ],
    },
  },
  {
    // Nest reads constructor parameter types at run time: an import that looks type-only may be a value
    // there.
    files: ['src/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // Only entities, repositories and database/ know TypeORM.
    files: ['src/**/*.ts'],
    ignores: [
      'src/**/*.entity.ts',
      'src/**/*.repository.ts',
      'src/**/*.module.ts',
      'src/platform/database/**',
      'src/**/*.spec.ts',
      'src/index.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'typeorm', message: 'Only entities, repositories and database/ know TypeORM.' }],
          patterns: [NEST_INTERNALS],
        },
      ],
    },
  },
  {
    // supertest answers are `any`: the assertions are what checks them.
    files: ['test/**/*.ts', 'src/**/*.spec.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      'no-restricted-properties': 'off',
    },
  },
  {
    // Projects of their own, whose packages or generated files are not here: there are no types to check.
    files: ['examples/**/*.ts', 'test/clients/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-restricted-imports': [
        'error',
        { patterns: [NEST_INTERNALS, { regex: '^([.][.]/){2,}(src|dist|test)/' }] },
      ],
    },
  },
  {
    files: ['examples/*/test/**/*.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off', 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        Blob: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        setImmediate: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        structuredClone: 'readonly',
        clearTimeout: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
);
