#pragma once

#include "reference_impl/service/service.h"

namespace assay::liberties {

/// The JSON text of the answer with every character beyond ASCII, and every slash, as an escape.
void escape_json(service::Reply& reply);

/// The same with blanks and line ends between its tokens.
void space_json(service::Reply& reply);

/// The content type of a JSON answer with its charset as a parameter.
void name_charset(service::Reply& reply);

/// The names of header fields in lower case.
void lower_headers(service::Reply& reply);

/// More header fields than the contract speaks of.
void add_headers(service::Reply& reply);

}  // namespace assay::liberties
