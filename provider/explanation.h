// Why the provider does what it does, as JSON: where settings come from, what device and software there is, what the device was
// tried with, and who does a call of which size. status.cpp makes parameters of it; the gpuaes command prints it.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gpuaes {

class ProviderContext;

// [{"name", "value", "origin"}...]
nlohmann::ordered_json settings_json(const ProviderContext& provider);
// {"driver", "driver_cuda", "built_with_cuda", "devices_found"}; null where it isn't known.
nlohmann::ordered_json software_json(const ProviderContext& provider);
// [{"ordinal", "name", "compute_capability", "multiprocessors", "memory_bytes"}], of the device in use; empty if there is none.
nlohmann::ordered_json devices_json(const ProviderContext& provider);
// [{"test", "passed"}...]; empty before bring-up.
nlohmann::ordered_json known_answers_json(const ProviderContext& provider);
// {"rates_from", "helper_threads", "rates", "crc16_rates", "keystream_ahead", "table"}; empty while nothing has been used.
nlohmann::ordered_json crossover_json(const ProviderContext& provider);

}  // namespace gpuaes
