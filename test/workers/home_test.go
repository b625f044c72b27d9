package workers

const theOwner = "+15145550101" // that a telephone of these tests calls from, unless it says otherwise
