import { renderApp } from '../shared/providers.js';
import { Front } from './front.js';

renderApp(<Front />);
