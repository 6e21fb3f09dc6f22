import { renderApp } from '../common/providers.js';
import { Front } from './front.js';

renderApp(<Front />);
