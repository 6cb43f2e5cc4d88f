export const Calibration = () => <h1 tabIndex={-1}>Calibration</h1>
