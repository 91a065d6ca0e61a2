import { testAmongNeighbours } from './neighbours.ts'

testAmongNeighbours('second')
