// The scripts of the workbench and of reports; `make lint` runs this where node is present.

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: 100 }],
      "no-var": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "prefer-const": "error",
    },
  },
  {
    // These stand in one function, one after the other; tsc knows the names of all of them.
    files: ["src/chronoscore/reports/assets/*.js"],
    languageOptions: { sourceType: "script" },
    rules: { "no-undef": "off", "no-unused-vars": ["error", { vars: "local" }] },
  },
];
