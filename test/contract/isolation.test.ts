import { testIsolation } from './isolation-suite.js';

testIsolation(12);
